// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The neighbour is read where there is one.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64;
  Kokkos::View<double**> field("field", n, n), out("out", n, n);
  Kokkos::parallel_for(
      "stencil", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {n, n}), KOKKOS_LAMBDA(int i, int j) {
        out(i, j) = i != 0 ? field(i - 1, j) : 0;
      });
  Kokkos::fence();
}
