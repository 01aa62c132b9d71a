// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// deep_copy sets the boundary before the first kernel fills the interior.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 100;
  Kokkos::View<double*> u(Kokkos::view_alloc("u", Kokkos::WithoutInitializing), n), next("next", n);
  Kokkos::deep_copy(u, 0.0);
  Kokkos::parallel_for(
      "interior", Kokkos::RangePolicy<>(1, n - 1), KOKKOS_LAMBDA(int i) { u(i) = i; });
  Kokkos::parallel_for(
      "sweep", Kokkos::RangePolicy<>(1, n - 1), KOKKOS_LAMBDA(int i) { next(i) = u(i - 1) + u(i + 1); });
  Kokkos::fence();
}
