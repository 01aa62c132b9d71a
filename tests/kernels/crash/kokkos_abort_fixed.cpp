// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The input is good, and Kokkos::abort is not reached.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<double*> x("x", 10);
  Kokkos::parallel_for(
      "fill", 10, KOKKOS_LAMBDA(int i) { x(i) = i + 4; });
  Kokkos::parallel_for(
      "check", 10, KOKKOS_LAMBDA(int i) {
        if (x(i) < 0) Kokkos::abort("negative density");
      });
  Kokkos::fence();
}
