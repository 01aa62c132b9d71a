// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A stencil loads the interior of its tile and the halo on both sides.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Tile = Kokkos::View<float*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const width = 32, league = 4;
  Kokkos::View<float*> u("u", width * league + 2), next("next", width * league + 2);
  auto policy = Policy(league, width).set_scratch_size(0, Kokkos::PerTeam(Tile::shmem_size(width + 2)));
  Kokkos::parallel_for(
      "stencil", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Tile tile(team.team_scratch(0), width + 2);
        int const t = team.team_rank();
        int const i = team.league_rank() * width + t + 1;
        tile(t + 1) = u(i);
        if (t == 0) tile(0) = u(i - 1);
        if (t == width - 1) tile(width + 1) = u(i + 1);
        team.team_barrier();
        next(i) = tile(t) + tile(t + 1) + tile(t + 2);
      });
  Kokkos::fence();
}
