// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The team fills scratch, and one lane adds to an element atomically, with no barrier between: the lane that fills the
// element is one of the same thread. That the sum may come before the fill is the race's doing and no finding of its own.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Slots = Kokkos::View<int*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 4, width = 18;
  Kokkos::View<int*> seen("seen", league);
  Kokkos::parallel_for(
      "fill", Policy(league, 8, 8).set_scratch_size(0, Kokkos::PerTeam(Slots::shmem_size(width))),
      KOKKOS_LAMBDA(Policy::member_type const& team) {
        Slots const slots(team.team_scratch(0), width);
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, width), [&](int i) {
          slots(i) = i + 1;  // EXPECT: scratch-race
        });
        Kokkos::single(Kokkos::PerTeam(team), [&] {
          Kokkos::atomic_add(&slots(5), 1);  // EXPECT: scratch-race
        });
        team.team_barrier();
        if (team.team_rank() == 0) seen(team.league_rank()) = slots(5);
      });
  return 0;
}
