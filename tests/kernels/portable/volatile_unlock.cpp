// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Teams share slots, each under a lock that is given back by a fence and a store through a pointer to volatile (as EKAT's
// pool of workspaces does). To CUDA and HIP that is a strong store of relaxed order; to C++ a plain one, which races with
// the next team's. (One worker: which slot is free hangs on the order of teams.)
// OPTIONS: sync=portable:num_threads=1
// EXPECT-OUTPUT: volatile
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
          int volatile* const here = &lock(slot);
          *here = 0;  // EXPECT: global-race
        });
      },
      wrong);
  return wrong;
}
