// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterations each of which waits for the one before it, as a triangular solve without levels does: one after the other gets on,
// whichever worker has it, and those that wait take no more time than the one that works.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  constexpr int n = 40'000;
  Kokkos::View<double*> x("x", n);
  Kokkos::View<int*> ready("ready", n);
  Kokkos::parallel_for(
      "solve", n, KOKKOS_LAMBDA(int i) {
        double sum = i;
        if (i > 0) {
          while (Kokkos::atomic_load(&ready(i - 1)) == 0) {
          }
          Kokkos::memory_fence();
          sum += x(i - 1);
        }
        x(i) = sum;
        Kokkos::memory_fence();
        Kokkos::atomic_store(&ready(i), 1);
      });
  Kokkos::fence();
}
// EXPECT-NONE
