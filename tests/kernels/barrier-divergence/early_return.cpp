// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads without work return before the barrier that the others wait at.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Tile = Kokkos::View<int*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 100, team_size = 32, league = 4;
  Kokkos::View<int*> x("x", n), y("y", n);
  auto policy = Policy(league, team_size).set_scratch_size(0, Kokkos::PerTeam(Tile::shmem_size(team_size)));
  Kokkos::parallel_for(
      "tail", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Tile tile(team.team_scratch(0), team_size);
        int const t = team.team_rank();
        int const i = team.league_rank() * team_size + t;
        if (i >= n) return;
        tile(t) = x(i);
        team.team_barrier();  // EXPECT: barrier-divergence
        y(i) = tile(t);
      });
  Kokkos::fence();
}
