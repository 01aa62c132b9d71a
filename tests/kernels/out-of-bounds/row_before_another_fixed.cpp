// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64;
  Kokkos::View<double**> first("first", n, n), out("out", n, n);
  auto const a = first;
  Kokkos::parallel_for(
      "stencil", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {n, n}), KOKKOS_LAMBDA(int i, int j) {
        if (i + j == 0) out(i, j) = a(i, j);
      });
  Kokkos::fence();
}
