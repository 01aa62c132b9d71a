// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The block has ghost cells on both sides.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const cells = 8, ghosts = 2;
  Kokkos::View<double***> inside("inside", cells + 2 * ghosts, cells + 2 * ghosts, cells + 2 * ghosts);
  Kokkos::parallel_for(
      "inside", cells * cells * cells, KOKKOS_LAMBDA(int i) {
        int const z = i / (cells * cells), y = i / cells % cells, x = i % cells;
        double const r2 = x * x + y * y + z * z;
        inside(x + ghosts, y + ghosts, z + ghosts) = r2 < cells * cells ? 1.0 : 0.0;
      });
  Kokkos::fence();
}
