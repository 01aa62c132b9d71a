// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Both kernels stay within their View.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64;
  Kokkos::View<int*> a("a", n), b("b", n);
  Kokkos::parallel_for(
      "good", n, KOKKOS_LAMBDA(int i) {
        a(i) = i;
      });
  Kokkos::parallel_for(
      "bad", n, KOKKOS_LAMBDA(int i) {
        b(i) = i;
      });
  Kokkos::fence();
}
