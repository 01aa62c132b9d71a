// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// It keeps the least of them.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64;
  Kokkos::View<float**> cell("cell", n, n);
  Kokkos::MDRangePolicy<Kokkos::Rank<2>> const grid({0, 0}, {n, n});
  Kokkos::parallel_for(
      "fill", grid, KOKKOS_LAMBDA(int i, int j) { cell(i, j) = float((i * 37 + j * 11) % 101); });
  float least = 0;
  Kokkos::parallel_reduce(
      "least", grid,
      KOKKOS_LAMBDA(int i, int j, float& smallest) {
        if (cell(i, j) < smallest) smallest = cell(i, j);
      },
      Kokkos::Min<float>(least));
  return least > 100;
}
