// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each lane runs along a row of its own: neighbouring lanes are a whole row apart.
// OPTIONS: check=all,coalesce:device=h100
// EXPECT-EXIT: 0
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 256, m = 64;
  Kokkos::View<double**, Kokkos::LayoutRight> a("a", n, m);
  Kokkos::View<double*> sums("sums", n);
  Kokkos::deep_copy(a, 1.0);
  Kokkos::parallel_for(
      "row sums", n, KOKKOS_LAMBDA(int i) {
        double sum = 0;
        for (int j = 0; j < m; ++j) sum += a(i, j);  // EXPECT: uncoalesced
        sums(i) = sum;
      });
}
