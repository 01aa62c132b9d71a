// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Teams take a lock in turn. What each stores last, it stores when it has given the lock back.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 8, rounds = 4;
  Kokkos::View<int> lock("lock"), entered("entered"), last("last");
  Kokkos::parallel_for(
      "lock", Policy(league, 1), KOKKOS_LAMBDA(Policy::member_type const& team) {
        for (int round = 0; round < rounds; ++round) {
          while (Kokkos::atomic_compare_exchange(&lock(), 0, 1) != 0) {
          }
          Kokkos::memory_fence();
          entered() += 1;
          Kokkos::memory_fence();
          Kokkos::atomic_exchange(&lock(), 0);
          last() = team.league_rank();  // EXPECT: global-race
        }
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), entered);
  return host() == league * rounds ? 0 : 1;
}
