// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A Jacobi sweep from one array into another.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 1000;
  Kokkos::View<double*> u("u", n), next("next", n);
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) { u(i) = 1.0 * i * i; });
  Kokkos::parallel_for(
      "sweep", Kokkos::RangePolicy<>(1, n - 1),
      KOKKOS_LAMBDA(int i) { next(i) = 0.5 * (u(i - 1) + u(i + 1)); });
  Kokkos::fence();
}
