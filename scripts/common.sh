# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What every script here shares: how it speaks, fails and shows that it is alive. Sourced; `tool` names the script.
# shellcheck shell=bash
tool=${tool:-$(basename "$0")}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '%s: %s\n' "$tool" "$*"; }
fail() { printf '%s: %s\n' "$tool" "$*" >&2; exit 3; }

# patiently TEXT COMMAND...: runs a command whose own output matters only when it fails. Until it ends, a terminal
# shows the seconds gone by, a log gets a line every 15 seconds. Returns the command's status.
patiently() {
  local text=$1 log status=0 start=$SECONDS shown=0
  shift
  log=$(mktemp)
  "$@" >"$log" 2>&1 &
  local pid=$!
  [ -t 1 ] || say "$text"
  while kill -0 "$pid" 2>/dev/null; do
    if [ -t 1 ]; then
      printf '\r%s: %s (%d s)' "$tool" "$text" $((SECONDS - start))
    elif [ $((SECONDS - start - shown)) -ge 15 ]; then
      shown=$((SECONDS - start))
      say "$text: $shown s so far"
    fi
    sleep 0.3
  done
  wait "$pid" || status=$?
  [ -t 1 ] && printf '\r%s: %s (%d s)\n' "$tool" "$text" $((SECONDS - start))
  [ "$status" -eq 0 ] || cat "$log" >&2
  rm -f "$log"
  return "$status"
}

# The CPUs that this process may use: nproc goes by OpenMP's variables too, which are for the programs that are run.
cpus() { env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc 2>/dev/null || echo 1; }

# compiling COMMAND...: runs it with compilers' memory in large pages, where the system hands out such (some hundredths of their work),
# and with a compiler cache that asks what was included of the compiler, and does not preprocess each file once more.
compiling() { env GLIBC_TUNABLES="${GLIBC_TUNABLES-glibc.malloc.hugetlb=1}" CCACHE_DEPEND="${CCACHE_DEPEND-1}" "$@"; }

# configure DIRECTORY CMAKE_ARGUMENT...: quiet unless it fails. A compiler cache is used where there is one.
configure() {
  local directory=$1
  shift
  command -v ccache >/dev/null && set -- -DCMAKE_CXX_COMPILER_LAUNCHER=ccache "$@"
  patiently "configuring $directory" compiling cmake -S "$root" -B "$directory" -G Ninja "$@" ||
    fail "configuring failed; the first error above says why"
}

# build DIRECTORY TARGET...: ninja's own status line on a terminal, a plain line for each step elsewhere.
build() {
  local directory=$1
  shift
  NINJA_STATUS='[%f/%t, %e s] ' compiling cmake --build "$directory" --parallel "$(cpus)" --target "$@" ||
    fail "building failed; the first error above says why"
}

# debian_unstable WORK [ARCH]: sets `apt`, the options for apt-get and apt-cache to ask Debian unstable, its state in WORK. Where
# this fails, `debian_unstable_lacks` says why.
debian_unstable() {
  local work=$1 architecture=${2:-} uri keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  mkdir -p "$work"/{state/lists/partial,cache/archives/partial,etc/parts}
  chmod 755 "$work"
  # The machine's own Debian mirror, the suite replaced: no host name is written here.
  uri=$( { grep -hsoP '^URIs:\s*\K\S+' /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list.d/*.sources
           grep -hsoP '^deb\s+(\[[^]]*\]\s+)?\K\S+(?=\s+\S+\s+main)' /etc/apt/sources.list /etc/apt/sources.list.d/*.list
         } | grep -m1 -P '/debian/?$' || true)
  debian_unstable_lacks="no Debian mirror found in /etc/apt"
  [ -n "$uri" ] || return 1
  debian_unstable_lacks="$keyring is missing (apt-get install debian-archive-keyring)"
  [ -e "$keyring" ] || return 1
  echo "deb [signed-by=$keyring] $uri sid main" >"$work/etc/sources.list"
  apt=(-o "Dir::State=$work/state" -o "Dir::State::status=/var/lib/dpkg/status" -o "Dir::Cache=$work/cache"
       -o "Dir::Etc::SourceList=$work/etc/sources.list" -o "Dir::Etc::SourceParts=$work/etc/parts"
       -o APT::Sandbox::User=root -o Acquire::Languages=none -o Acquire::Retries=3 -o APT::Update::Error-Mode=any -q=2)
  [ -z "$architecture" ] || apt+=(-o "APT::Architecture=$architecture" -o "APT::Architectures=$architecture")
  debian_unstable_lacks="the package list of Debian unstable could not be read (is the mirror in /etc/apt reachable?)"
  patiently "reading the package list of Debian unstable" apt-get "${apt[@]}" update
}
