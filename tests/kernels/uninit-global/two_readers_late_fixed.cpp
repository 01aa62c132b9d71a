// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Each value is read by two iterations of a later block, on lines of their own.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  int const n = 4096, begin = n / 2;
  Kokkos::View<double*> edges(Kokkos::view_alloc("edges", Kokkos::WithoutInitializing), n);
  Kokkos::deep_copy(edges, 1.);
  Kokkos::View<double*> fluxes("fluxes", n);
  Kokkos::parallel_for(
      "fluxes", n, KOKKOS_LAMBDA(int i) {
        if (i < begin) return;
        if (i % 2 == 0)
          fluxes(i) = edges(i / 2);
        else
          fluxes(i) = -edges(i / 2);
      });
  Kokkos::fence();
}
