// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Flags of one byte, of which four lie in a word: each iteration sets the one that a table names, its own, and the last of a
// block the next block's first one as well.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4096, block = 256;
  Kokkos::View<bool*> found("found", n);
  Kokkos::View<int*> place("place", n);
  Kokkos::parallel_for("number", n, KOKKOS_LAMBDA(int i) { place(i) = i; });
  Kokkos::parallel_for("find", n, KOKKOS_LAMBDA(int i) {
    found(place(i)) = true;  // EXPECT: global-race
    if (i % block == block - 1 && i + 1 < n) found(place(i + 1)) = false;
  });
  Kokkos::fence();
}
