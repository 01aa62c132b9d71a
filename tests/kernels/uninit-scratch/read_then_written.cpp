// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread keeps what lies in its element of the tile, which nothing has written, and writes it afterwards.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Tile = Kokkos::View<double*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 16, league = 2;
  Kokkos::View<double**> y("y", league, team_size);
  auto policy = Policy(league, team_size).set_scratch_size(0, Kokkos::PerTeam(Tile::shmem_size(team_size)));
  Kokkos::parallel_for(
      "swap", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Tile tile(team.team_scratch(0), team_size);
        double* const p = tile.data();
        int const t = team.team_rank();
        double kept;
        kept = p[t];  // EXPECT: uninit-scratch
        p[t] = t;
        y(team.league_rank(), t) = kept + p[t];
      });
  Kokkos::fence();
}
