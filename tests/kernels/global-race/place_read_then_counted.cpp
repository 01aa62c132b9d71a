// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each iteration that has something to say reads how long the list is, and counts up: two may find the same place. Neither a
// kernel of its own for the counting nor an atomic load would help.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 5000;
  Kokkos::View<int> length("length");
  Kokkos::View<int*> place("place", n);
  Kokkos::parallel_for(
      "collect", n, KOKKOS_LAMBDA(int i) {
        if (i % 3 != 0) return;
        int const at = length();        // EXPECT: global-race
        Kokkos::atomic_inc(&length());  // EXPECT: global-race
        place(i) = at;
      });
}
