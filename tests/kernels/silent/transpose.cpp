// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A transpose through a padded 32x33 tile with 32x8 threads, four rows for each.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Tile = Kokkos::View<int[32][33], Kokkos::LayoutRight, Policy::execution_space::scratch_memory_space,
                          Kokkos::MemoryUnmanaged>;
using Matrix = Kokkos::View<int**, Kokkos::LayoutRight>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const rows = 64, columns = 96, blocks = columns / 32;
  Matrix in("in", rows, columns), out("out", columns, rows);
  Kokkos::parallel_for(
      "fill", rows * columns, KOKKOS_LAMBDA(int i) { in(i / columns, i % columns) = i; });
  auto policy = Policy(rows / 32 * blocks, 256).set_scratch_size(0, Kokkos::PerTeam(Tile::shmem_size()));
  Kokkos::parallel_for(
      "transpose", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Tile tile(team.team_scratch(0));
        int const tx = team.team_rank() % 32, ty = team.team_rank() / 32;
        int const row = team.league_rank() / blocks * 32, column = team.league_rank() % blocks * 32;
        for (int j = 0; j < 32; j += 8) tile(ty + j, tx) = in(row + ty + j, column + tx);
        team.team_barrier();
        for (int j = 0; j < 32; j += 8) out(column + ty + j, row + tx) = tile(tx, ty + j);
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      if (host(j, i) != i * columns + j) return 1;
    }
  }
}
