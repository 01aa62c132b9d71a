// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last iteration reads one element past the end of the View.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 100;
  Kokkos::View<double*> x("x", n), dx("dx", n);
  Kokkos::parallel_for(
      "difference", n, KOKKOS_LAMBDA(int i) {
        dx(i) = x(i + 1) - x(i);  // EXPECT: out-of-bounds
      });
  Kokkos::fence();
}
// EXPECT-OUTPUT: x\(100\), extent 100
