// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// It wraps around.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 40;
  Kokkos::View<int*> a("a", n), b("b", n), c("c", n), out("out", 8 * n);
  Kokkos::deep_copy(a, 1);
  Kokkos::deep_copy(b, 1);
  Kokkos::deep_copy(c, 1);
  Kokkos::parallel_for(
      "gather", 8 * n, KOKKOS_LAMBDA(int i) {
        out(i) = a(i % n);
      });
  Kokkos::fence();
}
