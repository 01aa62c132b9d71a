// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane reads a variable that lives in the host program.
#include <Kokkos_Core.hpp>

double scale = 1.0;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  scale = argc + 1.0;
  Kokkos::View<double*> x("x", 64);
  Kokkos::parallel_for(
      "scale", 64, KOKKOS_LAMBDA(int i) {
        x(i) *= scale;  // EXPECT: wrong-space
      });
  Kokkos::fence();
}
