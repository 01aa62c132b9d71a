// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A 5-point stencil on tiles with a halo in scratch; the corners of the tile are never written, nor read.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Tile = Kokkos::View<double[18][18], Kokkos::LayoutRight, Policy::execution_space::scratch_memory_space,
                          Kokkos::MemoryUnmanaged>;
using Grid = Kokkos::View<double**, Kokkos::LayoutRight>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 32, blocks = n / 16;
  Grid u("u", n + 2, n + 2), next("next", n + 2, n + 2);
  Kokkos::parallel_for(
      "fill", u.size(), KOKKOS_LAMBDA(int i) { u(i / (n + 2), i % (n + 2)) = i % (n + 2); });
  auto policy = Policy(blocks * blocks, 256).set_scratch_size(0, Kokkos::PerTeam(Tile::shmem_size()));
  Kokkos::parallel_for(
      "stencil", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Tile tile(team.team_scratch(0));
        int const tx = team.team_rank() % 16 + 1, ty = team.team_rank() / 16 + 1;
        int const row = team.league_rank() / blocks * 16, column = team.league_rank() % blocks * 16;
        tile(ty, tx) = u(row + ty, column + tx);
        if (ty == 1) tile(0, tx) = u(row, column + tx);
        if (ty == 16) tile(17, tx) = u(row + 17, column + tx);
        if (tx == 1) tile(ty, 0) = u(row + ty, column);
        if (tx == 16) tile(ty, 17) = u(row + ty, column + 17);
        team.team_barrier();
        double const neighbours = tile(ty - 1, tx) + tile(ty + 1, tx) + tile(ty, tx - 1) + tile(ty, tx + 1);
        next(row + ty, column + tx) = neighbours - 4 * tile(ty, tx);
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), next);
  for (int i = 1; i <= n; ++i) {
    for (int j = 1; j <= n; ++j) {
      if (host(i, j) != 0) return 1;
    }
  }
}
