// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The range ends one iteration earlier.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 100;
  Kokkos::View<double*> x("x", n), dx("dx", n);
  Kokkos::parallel_for(
      "difference", n - 1, KOKKOS_LAMBDA(int i) { dx(i) = x(i + 1) - x(i); });
  Kokkos::fence();
}
