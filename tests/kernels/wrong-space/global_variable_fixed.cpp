// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The value travels in the functor.
#include <Kokkos_Core.hpp>

double scale = 1.0;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  scale = argc + 1.0;
  Kokkos::View<double*> x("x", 64);
  double const factor = scale;
  Kokkos::parallel_for(
      "scale", 64, KOKKOS_LAMBDA(int i) { x(i) *= factor; });
  Kokkos::fence();
}
