// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A tiled matrix product with both barriers, float tiles in level 0 scratch.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Tile = Kokkos::View<float**, Kokkos::LayoutRight, Policy::execution_space::scratch_memory_space,
                          Kokkos::MemoryUnmanaged>;
using Matrix = Kokkos::View<float**, Kokkos::LayoutRight>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64, width = 16, blocks = n / width;
  Matrix a("a", n, n), b("b", n, n);
  Matrix c(Kokkos::view_alloc("c", Kokkos::WithoutInitializing), n, n);
  Kokkos::parallel_for(
      "fill", n * n, KOKKOS_LAMBDA(int i) {
        a(i / n, i % n) = i % 7;
        b(i / n, i % n) = i % 5;
      });
  auto policy = Policy(blocks * blocks, width * width)
                    .set_scratch_size(0, Kokkos::PerTeam(2 * Tile::shmem_size(width, width)));
  Kokkos::parallel_for(
      "matmul", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Tile as(team.team_scratch(0), width, width), bs(team.team_scratch(0), width, width);
        int const tx = team.team_rank() % width, ty = team.team_rank() / width;
        int const row = team.league_rank() / blocks * width + ty;
        int const column = team.league_rank() % blocks * width + tx;
        float sum = 0;
        for (int block = 0; block < blocks; ++block) {
          as(ty, tx) = a(row, block * width + tx);
          bs(ty, tx) = b(block * width + ty, column);
          team.team_barrier();
          for (int k = 0; k < width; ++k) sum += as(ty, k) * bs(k, tx);
          team.team_barrier();
        }
        c(row, column) = sum;
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), c);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += float((i * n + k) % 7) * float((k * n + j) % 5);
      if (host(i, j) != sum) return 1;
    }
  }
}
