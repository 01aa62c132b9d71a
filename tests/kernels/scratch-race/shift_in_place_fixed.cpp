// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// All threads read into a register, meet, and only then overwrite.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Tile = Kokkos::View<int*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 32, league = 2;
  Kokkos::View<int**> out("out", league, team_size);
  auto policy =
      Policy(league, team_size).set_scratch_size(0, Kokkos::PerTeam(Tile::shmem_size(team_size + 1)));
  Kokkos::parallel_for(
      "shift", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Tile tile(team.team_scratch(0), team.team_size() + 1);
        int const t = team.team_rank();
        tile(t) = t;
        if (t == 0) tile(team.team_size()) = -1;
        team.team_barrier();
        int const right = tile(t + 1);
        team.team_barrier();
        tile(t) = right;
        team.team_barrier();
        out(team.league_rank(), t) = tile(t);
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  return host(1, 0) == 1 && host(1, 31) == -1 ? 0 : 1;
}
