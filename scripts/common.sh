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

# configure DIRECTORY CMAKE_ARGUMENT...: quiet unless it fails. A compiler cache is used where there is one.
configure() {
  local directory=$1
  shift
  command -v ccache >/dev/null && set -- -DCMAKE_CXX_COMPILER_LAUNCHER=ccache "$@"
  patiently "configuring $directory" cmake -S "$root" -B "$directory" -G Ninja "$@" ||
    fail "configuring failed; the first error above says why"
}

# build DIRECTORY TARGET...: ninja's own status line on a terminal, a plain line for each step elsewhere.
build() {
  local directory=$1
  shift
  NINJA_STATUS='[%f/%t, %e s] ' cmake --build "$directory" --parallel "$(cpus)" --target "$@" ||
    fail "building failed; the first error above says why"
}
