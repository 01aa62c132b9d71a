// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first kernel fills the interior only; the second reads the boundary too.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 100;
  Kokkos::View<double*> u(Kokkos::view_alloc("u", Kokkos::WithoutInitializing), n), next("next", n);
  Kokkos::parallel_for(
      "interior", Kokkos::RangePolicy<>(1, n - 1), KOKKOS_LAMBDA(int i) { u(i) = i; });
  Kokkos::parallel_for(
      "sweep", Kokkos::RangePolicy<>(1, n - 1), KOKKOS_LAMBDA(int i) {
        next(i) = u(i - 1) + u(i + 1);  // EXPECT: uninit-global
      });
  Kokkos::fence();
}
