// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The View is initialised.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4096, width = 64;
  Kokkos::View<short*> halo("halo", width), inner("inner", n);
  Kokkos::parallel_for("smooth", n, KOKKOS_LAMBDA(int i) {
    if (i < width / 2) inner(i) = halo(i);
    if (i >= n - width / 2) halo(i - (n - width)) = 1;
  });
  Kokkos::fence();
}
