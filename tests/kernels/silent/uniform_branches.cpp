// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Barriers behind conditions that all lanes of a team decide alike, though teams differ.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Tile = Kokkos::View<int*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 32, league = 5;
  Kokkos::View<int**> y("y", league, team_size);
  auto policy = Policy(league, team_size).set_scratch_size(0, Kokkos::PerTeam(Tile::shmem_size(team_size)));
  Kokkos::parallel_for(
      "branches", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const t = team.team_rank(), l = team.league_rank();
        if (l == 4) return;
        Tile tile(team.team_scratch(0), team_size);
        for (int round = 0; round <= l; ++round) {
          tile(t) = t + round;
          team.team_barrier();
          if (l % 2 == 0) {
            y(l, t) += tile(team_size - 1 - t);
            team.team_barrier();
          } else {
            y(l, t) -= tile((t + 1) % team_size);
            team.team_barrier();
          }
          if (tile(0) == 2) break;
          team.team_barrier();
        }
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  return host(0, 0) == 31 && host(3, 0) == -6 && host(4, 0) == 0 ? 0 : 1;
}
