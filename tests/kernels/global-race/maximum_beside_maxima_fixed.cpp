// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// OPTIONS: flat=0
// Iterations of many blocks raise a maximum by atomics of two lines, and one reads it by an atomic.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4096;
  Kokkos::View<double> highest("highest");
  Kokkos::View<double*> seen("seen", n);
  Kokkos::parallel_for(
      "raise", n, KOKKOS_LAMBDA(int i) {
        if (i % 2 == 0)
          Kokkos::atomic_max(&highest(), 0.5 * i);
        else
          Kokkos::atomic_add(&highest(), 1e-9 * i);
        seen(i) = i == 1500 ? Kokkos::atomic_load(&highest()) : 0;
      });
  Kokkos::fence();
}
