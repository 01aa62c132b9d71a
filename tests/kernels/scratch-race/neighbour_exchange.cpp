// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every thread reads its left neighbour's element of the tile, and no barrier stands between that and the
// write.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Tile = Kokkos::View<double*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 64, league = 4;
  Kokkos::View<double*> x("x", team_size * league), y("y", team_size * league);
  auto policy = Policy(league, team_size).set_scratch_size(0, Kokkos::PerTeam(Tile::shmem_size(team_size)));
  Kokkos::parallel_for(
      "exchange", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Tile tile(team.team_scratch(0), team.team_size());
        int const t = team.team_rank();
        int const i = team.league_rank() * team.team_size() + t;
        tile(t) = x(i) + t;  // EXPECT: scratch-race
        if (t > 0) {
          y(i) = tile(t - 1);  // EXPECT: scratch-race
        }
      });
  Kokkos::fence();
}
