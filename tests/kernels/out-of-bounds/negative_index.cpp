// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first iteration reads the element before the first one.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 100;
  Kokkos::View<double*> x("x", n), dx("dx", n);
  // EXPECT-OUTPUT: x\(-1\), extent 100
  Kokkos::parallel_for(
      "difference", Kokkos::RangePolicy<>(0, n), KOKKOS_LAMBDA(int i) {
        dx(i) = x(i) - x(i - 1);  // EXPECT: out-of-bounds
      });
  Kokkos::fence();
}
