// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The kernel writes a View that it does not read.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4096;
  Kokkos::View<int*> x("x", n), shifted("shifted", n);
  Kokkos::parallel_for("shift", n, KOKKOS_LAMBDA(int i) {
    int const next = i + 1 < n ? x(i + 1) : 0;
    shifted(i) = next;
  });
  Kokkos::fence();
}
