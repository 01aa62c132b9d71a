// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane takes a row of a sparse matrix; every eighth row is long, and a warp waits for its longest.
// OPTIONS: check=all,divergence:device=h100
// EXPECT-EXIT: 0
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const rows = 256;
  Kokkos::View<int*> first("first", rows + 1);
  Kokkos::parallel_for("rows", rows + 1, KOKKOS_LAMBDA(int i) { first(i) = i / 8 * 48 + i % 8 * 2 + (i % 8 != 0 ? 32 : 0); });
  Kokkos::View<double*> a("a", rows / 8 * 48), y("y", rows);
  Kokkos::parallel_for("ones", rows / 8 * 48, KOKKOS_LAMBDA(int i) { a(i) = 1.0; });
  Kokkos::parallel_for(
      "spmv", rows, KOKKOS_LAMBDA(int i) {
        double sum = 0;
        for (int k = first(i); k < first(i + 1); ++k)
          sum += a(k);  // EXPECT: divergence
        y(i) = sum;
      });
}
