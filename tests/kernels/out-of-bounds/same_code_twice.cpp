// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two kernels of the same code: the one that is wrong is told, with its own line.
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
      "bad", n + 1, KOKKOS_LAMBDA(int i) {
        b(i) = i;  // EXPECT: out-of-bounds
      });
  Kokkos::fence();
}
