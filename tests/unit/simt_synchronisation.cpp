// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of sim/base/Synchronisation.def against what runs: for each construct that a kernel can write, three
// kernels ask what it orders, under each --sync. A construct is probed among the lanes of one thread and among the
// threads of a team:
//   write then read    is found unless all accesses are ordered at that level
//   read then write    is found unless at least what was read before is over
// The options are read once a process, so the probes run in a child for each mode, which leaves its findings in a file.
#include "SimtTeam.hpp"

#include "../../sim/base/Synchronisation.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <sys/wait.h>
#include <unistd.h>

using namespace simt_team;
using teamsan::Meeting;
using teamsan::Meets;
using teamsan::Order;
using teamsan::Sync;

namespace {

constexpr int team_size = 4, vector_length = 4;
using Ints = Kokkos::View<int*, Scratch, Kokkos::MemoryUnmanaged>;

constexpr auto add = [](int i, int& update) { update += i; };
constexpr auto scan = [](int i, int& update, bool) { update += i; };
constexpr auto nothing = [](int) {};

/// Carries the construct out. False: no kernel can write it by itself.
KOKKOS_INLINE_FUNCTION bool construct(Meeting meeting, Member const& team) {
  int value = 1;
  switch (meeting) {
    case Meeting::team_barrier: team.team_barrier(); return true;
    case Meeting::team_broadcast: team.team_broadcast(value, 1); return true;
    case Meeting::team_reduce: team.team_reduce(Kokkos::Max<int, Space>(value)); return true;
    case Meeting::team_scan: value = team.team_scan(value); return true;
    case Meeting::thread_range_end: Kokkos::parallel_for(Kokkos::TeamThreadRange(team, 9), nothing); return true;
    case Meeting::thread_range_reduce:
      Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, 9), add, value);
      return true;
    case Meeting::thread_range_scan: Kokkos::parallel_scan(Kokkos::TeamThreadRange(team, 9), scan); return true;
    case Meeting::team_vector_range_end: Kokkos::parallel_for(Kokkos::TeamVectorRange(team, 9), nothing); return true;
    case Meeting::team_vector_reduce:
      Kokkos::parallel_reduce(Kokkos::TeamVectorRange(team, 9), add, value);
      return true;
    case Meeting::vector_range_end: Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, 9), nothing); return true;
    case Meeting::vector_reduce:
      Kokkos::parallel_reduce(Kokkos::ThreadVectorRange(team, 9), add, value);
      return true;
    case Meeting::vector_scan: Kokkos::parallel_scan(Kokkos::ThreadVectorRange(team, 9), scan); return true;
    case Meeting::single_team: Kokkos::single(Kokkos::PerTeam(team), [] {}); return true;
    case Meeting::single_team_value:
      Kokkos::single(Kokkos::PerTeam(team), [](int& v) { v = 2; }, value);
      return true;
    case Meeting::single_thread: Kokkos::single(Kokkos::PerThread(team), [] {}); return true;
    case Meeting::single_thread_value:
      Kokkos::single(Kokkos::PerThread(team), [](int& v) { v = 2; }, value);
      return true;
    case Meeting::warp_barrier: team.impl_warp_barrier(); return true;
    case Meeting::kernel_chunk:
    case Meeting::kernel_end: return false;
  }
  return false;
}

bool can_be_written(Meeting meeting) { return meeting < Meeting::kernel_chunk; }

enum class Probe { write_read, read_write };

std::string label(Meeting meeting, Meets level, Probe probe) {
  return std::string(teamsan::synchronisation(meeting).name) + (level == Meets::team ? " team" : " thread") +
         (probe == Probe::write_read ? " write_read" : " read_write");
}

void run_probe(Meeting meeting, Meets level, Probe probe) {
  // The neighbour: another lane of the same thread, or the same lane of another thread.
  int const step = level == Meets::team ? vector_length : 1;
  int const wrap = level == Meets::team ? team_size * vector_length : vector_length;
  bool const write_first = probe == Probe::write_read;
  Kokkos::View<int*, Space> out("out", team_size * vector_length);
  Policy policy(1, team_size, vector_length);
  policy.set_scratch_size(0, Kokkos::PerTeam(Ints::shmem_size(team_size * vector_length)));
  Kokkos::parallel_for(
      label(meeting, level, probe), policy, KOKKOS_LAMBDA(Member const& team) {
        Ints const ints(team.team_scratch(0), team_size * vector_length);
        int const me = lane();
        int const base = me - me % wrap, other = base + (me - base + step) % wrap;
        ints(me) = me;
        team.team_barrier();
        int value = 0;
        if (write_first)
          ints(me) = me + 1;
        else
          value = ints(other);
        construct(meeting, team);
        if (write_first)
          value = ints(other);
        else
          ints(me) = me + 1;
        out(me) = value;
      });
}

void run_all_probes() {
  for (std::size_t m = 0; m != teamsan::synchronisation_count(); ++m)
    for (Meets const level : {Meets::thread, Meets::team})
      for (Probe const probe : {Probe::write_read, Probe::read_write})
        if (can_be_written(static_cast<Meeting>(m))) run_probe(static_cast<Meeting>(m), level, probe);
}

bool is_probe_child() { return std::getenv("TEAMSAN_SYNC_PROBES") != nullptr; }

/// The lines report of a child that ran all probes under that mode.
std::string findings_under(char const* sync) {
  std::string const file = "simt_synchronisation." + std::string(sync) + "." + std::to_string(getpid());
  pid_t const child = fork();
  BOOST_REQUIRE(child >= 0);
  if (child == 0) {
    setenv("TEAMSAN_SYNC_PROBES", "1", 1);
    std::string const options = "summary=0:log_file=/dev/null:sync=" + std::string(sync) + ":report=tsv=" + file;
    setenv("TEAMSAN_OPTIONS", options.c_str(), 1);
    std::string const program = std::filesystem::read_symlink("/proc/self/exe");
    execl("/bin/sh", "sh", "-c", "exec " TEAMSAN_EMULATOR " \"$0\" --run_test=probes --log_level=nothing", program.c_str(),
          nullptr);
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::ifstream stream(file);
  BOOST_REQUIRE(stream.is_open());
  std::string const text{std::istreambuf_iterator<char>(stream), {}};
  std::remove(file.c_str());
  return text;
}

void compare(char const* name, Sync sync) {
  std::string const found = findings_under(name);
  for (std::size_t m = 0; m != teamsan::synchronisation_count(); ++m) {
    auto const meeting = static_cast<Meeting>(m);
    if (!can_be_written(meeting)) continue;
    auto const& row = teamsan::synchronisation(meeting);
    Order const order = row.under(sync);
    for (Meets const level : {Meets::thread, Meets::team}) {
      // `values` reaches those who meet.
      bool const reads_over = order == Order::values && row.meets >= level;
      bool const ordered = order >= (level == Meets::team ? Order::team : Order::thread);
      BOOST_TEST_CONTEXT("--sync " << name) {
        for (Probe const probe : {Probe::write_read, Probe::read_write}) {
          std::string const kernel = label(meeting, level, probe);
          bool const expected = !(ordered || (probe == Probe::read_write && reads_over));
          bool const is_found = found.find("\t" + kernel + "\t") != std::string::npos;
          BOOST_TEST(is_found == expected, kernel << (expected ? " must be found" : " must be silent"));
        }
      }
    }
  }
}

}  // namespace

BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard);

BOOST_AUTO_TEST_CASE(probes) {
  if (is_probe_child()) run_all_probes();
}

BOOST_AUTO_TEST_CASE(cuda) {
  if (!is_probe_child()) compare("cuda", Sync::cuda);
}

BOOST_AUTO_TEST_CASE(hip) {
  if (!is_probe_child()) compare("hip", Sync::hip);
}

BOOST_AUTO_TEST_CASE(portable) {
  if (!is_probe_child()) compare("portable", Sync::portable);
}
