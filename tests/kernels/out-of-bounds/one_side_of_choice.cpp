// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stencil that reads its neighbour under a condition, which is wrong: the element is one side of a `?`, whose place it has.
// EXPECT-OUTPUT: field\(-1, 0\), extents 64, 64
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64;
  Kokkos::View<double**> field("field", n, n), out("out", n, n);
  Kokkos::parallel_for(
      "stencil", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {n, n}), KOKKOS_LAMBDA(int i, int j) {
        out(i, j) = i + j == 0 ? field(i - 1, j) : 0;  // EXPECT: out-of-bounds
      });
  Kokkos::fence();
}
