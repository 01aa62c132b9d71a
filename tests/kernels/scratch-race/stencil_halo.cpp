// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

// A tile with its halo, and no barrier before it is read. Each store is told by its own line: compilers like to make one
// instruction of two that end alike.
int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Policy = Kokkos::TeamPolicy<>;
  constexpr int width = 16;
  using Tile = Kokkos::View<float[width + 2][width + 2], Kokkos::LayoutRight,
                            Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;
  int const blocks = 2, n = blocks * width + 2;
  Kokkos::View<float**, Kokkos::LayoutRight> u("u", n, n), next("next", n, n);
  Kokkos::parallel_for(
      "stencil", Policy(blocks * blocks, width * width).set_scratch_size(0, Kokkos::PerTeam(Tile::shmem_size())),
      KOKKOS_LAMBDA(Policy::member_type const& team) {
        Tile tile(team.team_scratch(0));
        int const tx = team.team_rank() % width + 1, ty = team.team_rank() / width + 1;
        int const row = team.league_rank() / blocks * width, column = team.league_rank() % blocks * width;
        tile(ty, tx) = u(row + ty, column + tx);  // EXPECT: scratch-race
        if (ty == 1) tile(0, width + 1 - tx) = u(row, column + width + 1 - tx);  // EXPECT: scratch-race
        if (ty == width) tile(width + 1, tx) = u(row + width + 1, column + tx);
        if (tx == 1) tile(width + 1 - ty, 0) = u(row + width + 1 - ty, column);  // EXPECT: scratch-race
        if (tx == width) tile(ty, width + 1) = u(row + ty, column + width + 1);
        float const around =
            tile(ty - 1, tx) + tile(ty + 1, tx) + tile(ty, tx - 1) + tile(ty, tx + 1);  // EXPECT: scratch-race
        next(row + ty, column + tx) = 0.25f * around + tile(ty, tx);
      });
  Kokkos::fence();
}
