// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// row_per_lane.cpp with the rows side by side.
// OPTIONS: check=all,coalesce:device=h100
// EXPECT-NONE
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 256, m = 64;
  Kokkos::View<double**, Kokkos::LayoutLeft> a("a", n, m);
  Kokkos::View<double*> sums("sums", n);
  Kokkos::deep_copy(a, 1.0);
  Kokkos::parallel_for(
      "row sums", n, KOKKOS_LAMBDA(int i) {
        double sum = 0;
        for (int j = 0; j < m; ++j) sum += a(i, j);
        sums(i) = sum;
      });
}
