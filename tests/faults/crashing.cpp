// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program with a race, which then ends in a kernel as its argument says; "clean": without the race.
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

void say_exit() { std::puts("exit handler"); }

void race() {
  Kokkos::View<int> x("x");
  Kokkos::parallel_for("race", 64, KOKKOS_LAMBDA(int i) { x() = i; });
  Kokkos::fence();
}

template <int bytes>
[[gnu::noinline]] void large_frame(Member const& team, Kokkos::View<int*> const& out) {
  char volatile mine[bytes];
  for (int k = 0; k < bytes; k += bytes / 64) mine[k] = static_cast<char>(team.team_rank());
  team.team_barrier();
  int wrong = 0;
  for (int k = 0; k < bytes; k += bytes / 64) wrong += mine[k] != static_cast<char>(team.team_rank());
  out(team.team_rank()) = wrong;
}

[[gnu::noinline]] int recursion(int n) {
  int volatile path[64];
  path[n % 64] = n;
  return n < 0 ? 0 : recursion(n + 1) + path[n % 64];
}

__attribute__((noinline, no_stack_protector)) long overrun(long n) {
  long volatile list[4];
  long volatile* const first = list;  // an index of the array itself would be told
  for (long k = 0; k < n; ++k) first[k] = 1;
  return list[2];
}

[[gnu::noinline]] long guarded_overrun(long n) {
  long volatile list[4];
  long volatile* const first = list;  // an index of the array itself would be told
  for (long k = 0; k < n; ++k) first[k] = 1;
  return list[2];
}

int main(int argc, char* argv[]) {
  std::string const how = argc > 1 ? argv[1] : "";
  bool const clean = argc > 2 && std::strcmp(argv[2], "clean") == 0;
  std::atexit(say_exit);
  Kokkos::ScopeGuard kokkos(argc, argv);
  if (!clean) race();
  Kokkos::View<int*> out("out", 64);
  void* const block = std::malloc(5000);
  void* const behind = std::malloc(5000);
  auto const in_lane_7 = [&](auto f) {
    Kokkos::parallel_for(
        "end", 64, KOKKOS_LAMBDA(int i) {
          if (i == 7) out(i) = static_cast<int>(f());
        });
  };
  auto const in_teams = [&](auto f) {
    Kokkos::parallel_for("end", Policy(1, 64), KOKKOS_LAMBDA(Member const& team) { f(team, out); });
  };
  if (how == "frame_140000") in_teams(large_frame<140000>);
  if (how == "frame_400000") in_teams(large_frame<400000>);
  if (how == "frame_9000000") in_teams(large_frame<9000000>);
  if (how == "recursion") in_lane_7([] { return recursion(0); });
  if (how == "overrun") in_lane_7([] { return overrun(16); });
  if (how == "long_overrun") in_lane_7([] { return overrun(40000); });
  if (how == "guarded_overrun") in_lane_7([] { return guarded_overrun(16); });
  if (how == "heap") in_lane_7([=] {
    for (int n = 0; n < 2; ++n) std::free(block);
    return 0;
  });
  if (how == "pointer") in_lane_7([] { return (*reinterpret_cast<int (*)()>(5))(); });
  if (how == "null_pointer") in_lane_7([] {
    int (*volatile f)() = nullptr;
    return f();
  });
  if (how == "exit_0") in_lane_7([]() -> int { std::exit(0); });
  if (how == "exit_9") in_lane_7([]() -> int { std::exit(9); });
  if (how == "quick_exit_9") in_lane_7([]() -> int { std::quick_exit(9); });
  if (how == "workers") {  // each lane of many keeps what is on its stack
    int const teams = 2000;
    Kokkos::View<int> sum("sum");
    Kokkos::parallel_for(
        "workers", Policy(teams, 64), KOKKOS_LAMBDA(Member const& team) {
          int const id = team.league_rank() * 64 + team.team_rank();
          int volatile mine[32];
          for (int k = 0; k < 32; ++k) mine[k] = id + k;
          for (int n = 0; n < 3; ++n) team.team_barrier();
          int wrong = 0;
          for (int k = 0; k < 32; ++k) wrong += mine[k] != id + k;
          Kokkos::atomic_add(&sum(), wrong);
        });
    auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sum);
    std::printf("wrong: %d\n", host());
  }
  Kokkos::fence();
  std::free(behind);
}
