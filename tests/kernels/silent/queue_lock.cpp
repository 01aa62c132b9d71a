// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A queue lock (MCS): each team waits on a flag of its own, which the one before it in the queue takes back. Owners
// initialise their nodes plainly, again for each round.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 24, rounds = 4;
  Kokkos::View<int> tail("tail"), entered("entered");
  Kokkos::View<int*> next(Kokkos::view_alloc("next", Kokkos::WithoutInitializing), league + 1);
  Kokkos::View<int*> waits(Kokkos::view_alloc("waits", Kokkos::WithoutInitializing), league + 1);
  Kokkos::parallel_for(
      "queue", Policy(league, 1), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const mine = team.league_rank() + 1;
        for (int round = 0; round < rounds; ++round) {
          next(mine) = 0;
          waits(mine) = 1;
          Kokkos::memory_fence();
          int const before = Kokkos::atomic_exchange(&tail(), mine);
          Kokkos::memory_fence();
          if (before != 0) {
            Kokkos::atomic_store(&next(before), mine);
            while (Kokkos::atomic_load(&waits(mine)) != 0) {
            }
            Kokkos::memory_fence();
          }
          entered() += 1;
          Kokkos::memory_fence();
          if (Kokkos::atomic_load(&next(mine)) == 0) {
            if (Kokkos::atomic_compare_exchange(&tail(), mine, 0) == mine) continue;
            while (Kokkos::atomic_load(&next(mine)) == 0) {
            }
          }
          Kokkos::memory_fence();
          Kokkos::atomic_store(&waits(Kokkos::atomic_load(&next(mine))), 0);
        }
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), entered);
  return host() == league * rounds ? 0 : 1;
}
