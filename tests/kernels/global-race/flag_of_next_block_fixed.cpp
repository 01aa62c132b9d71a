// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The kernel is split in two: who sets the next block's flag comes behind whoever set its own.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4096, block = 256;
  Kokkos::View<bool*> found("found", n);
  Kokkos::View<int*> place("place", n);
  Kokkos::parallel_for("number", n, KOKKOS_LAMBDA(int i) { place(i) = i; });
  Kokkos::parallel_for("find", n, KOKKOS_LAMBDA(int i) { found(place(i)) = true; });
  Kokkos::parallel_for("forget", n, KOKKOS_LAMBDA(int i) {
    if (i % block == block - 1 && i + 1 < n) found(place(i + 1)) = false;
  });
  Kokkos::fence();
}
