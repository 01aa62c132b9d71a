// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every other iteration looks at its neighbour's counter by an atomic load, which the neighbour's plain update does not see.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4000;
  Kokkos::View<int*> counters("counters", n + 1), seen("seen", n);
  Kokkos::parallel_for(
      "look", n, KOKKOS_LAMBDA(int i) {
        seen(i) = i % 2 == 0 ? Kokkos::atomic_load(&counters(i + 1)) : 0;  // EXPECT: global-race
        if (i % 2 != 0) counters(i) += 1;  // EXPECT: global-race
      });
  Kokkos::fence();
}
