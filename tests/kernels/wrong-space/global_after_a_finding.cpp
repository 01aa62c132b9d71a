// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table among the host's globals, without room in the program's file, read when lines have been looked up.
#include <Kokkos_Core.hpp>

double table[131072];

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  table[100'000] = argc;
  Kokkos::View<double*> x(Kokkos::view_alloc("x", Kokkos::WithoutInitializing), 3000), y("y", 3000);
  Kokkos::parallel_for(
      "copy", 3000, KOKKOS_LAMBDA(int i) {
        y(i) = x(i);  // EXPECT: uninit-global
      });
  Kokkos::parallel_for(
      "look_up", 3000, KOKKOS_LAMBDA(int i) {
        y(i) += table[100'000 + i];  // EXPECT: wrong-space
      });
  Kokkos::fence();
}
