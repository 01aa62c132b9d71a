// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: sync=portable
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 64, slots = 4, size = 8;
  Kokkos::View<int*> lock("lock", slots);
  Kokkos::View<int**, Kokkos::LayoutRight> space("space", slots, size);
  int wrong = 0;
  Kokkos::parallel_reduce(
      "pool", Policy(league, size),
      KOKKOS_LAMBDA(Policy::member_type const& team, int& sum) {
        int const me = team.league_rank();
        int slot = 0;
        Kokkos::single(
            Kokkos::PerTeam(team),
            [&](int& s) {
              s = me % slots;
              while (Kokkos::atomic_compare_exchange(&lock(s), 0, 1) != 0) s = (s + 1) % slots;
              Kokkos::memory_fence();
            },
            slot);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, size), [&](int k) { space(slot, k) = me; });
        team.team_barrier();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, size), [&](int k) {
          if (space(slot, (k + 1) % size) != me) ++sum;
        });
        team.team_barrier();
        Kokkos::single(Kokkos::PerTeam(team), [&] {
          Kokkos::memory_fence();
          Kokkos::atomic_store(&lock(slot), 0);  // EXPECT-NONE
        });
      },
      wrong);
  return wrong;
}
