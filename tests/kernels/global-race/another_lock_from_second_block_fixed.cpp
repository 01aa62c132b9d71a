// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The update is atomic, whichever lock is held.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int[2]> locks("locks");
  Kokkos::View<double> sum("sum");
  Kokkos::parallel_for(
      "odd one", 4096, KOKKOS_LAMBDA(int i) {
        if (i < 256) return;
        int* const lock = &locks(i == 1000);
        while (Kokkos::atomic_compare_exchange(lock, 0, 1) != 0) {
        }
        Kokkos::memory_fence();
        Kokkos::atomic_add(&sum(), i);
        Kokkos::memory_fence();
        Kokkos::atomic_exchange(lock, 0);
      });
  Kokkos::fence();
}
