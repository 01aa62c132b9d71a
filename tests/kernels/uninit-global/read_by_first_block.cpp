// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Only the first block reads the halo, of which a later block writes the other half. What of it the first one reads nobody has
// written.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4096, width = 64;
  Kokkos::View<short*> halo(Kokkos::view_alloc("halo", Kokkos::WithoutInitializing), width), inner("inner", n);
  Kokkos::parallel_for("smooth", n, KOKKOS_LAMBDA(int i) {
    if (i < width / 2) inner(i) = halo(i);  // EXPECT: uninit-global
    if (i >= n - width / 2) halo(i - (n - width)) = 1;
  });
  Kokkos::fence();
}
