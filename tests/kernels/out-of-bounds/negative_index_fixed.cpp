// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The range begins at 1.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 100;
  Kokkos::View<double*> x("x", n), dx("dx", n);
  Kokkos::parallel_for(
      "difference", Kokkos::RangePolicy<>(1, n), KOKKOS_LAMBDA(int i) { dx(i) = x(i) - x(i - 1); });
  Kokkos::fence();
}
