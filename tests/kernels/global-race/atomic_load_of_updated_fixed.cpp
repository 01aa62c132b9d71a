// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The neighbour updates by an atomic, too.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4000;
  Kokkos::View<int*> counters("counters", n + 1), seen("seen", n);
  Kokkos::parallel_for(
      "look", n, KOKKOS_LAMBDA(int i) {
        seen(i) = i % 2 == 0 ? Kokkos::atomic_load(&counters(i + 1)) : 0;
        if (i % 2 != 0) Kokkos::atomic_inc(&counters(i));
      });
  Kokkos::fence();
}
