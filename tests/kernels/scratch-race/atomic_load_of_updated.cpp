// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every other thread looks at its neighbour's flag by an atomic load, which the neighbour's plain update does not see.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Flags = Kokkos::View<int*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const threads = 64, league = 8;
  Kokkos::View<int**> seen("seen", league, threads);
  Kokkos::parallel_for(
      "look", Policy(league, threads).set_scratch_size(0, Kokkos::PerTeam(Flags::shmem_size(threads))),
      KOKKOS_LAMBDA(Policy::member_type const& team) {
        Flags flags(team.team_scratch(0), threads);
        int const t = team.team_rank();
        flags(t) = 0;
        team.team_barrier();
        seen(team.league_rank(), t) = t % 2 == 0 ? Kokkos::atomic_load(&flags(t + 1)) : 0;  // EXPECT: scratch-race
        if (t % 2 != 0) flags(t) += 1;  // EXPECT: scratch-race
      });
  Kokkos::fence();
}
