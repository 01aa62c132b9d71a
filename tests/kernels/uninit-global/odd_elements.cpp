// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every second byte of the array is set, and all are read: initialised bytes lie between uninitialised ones.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 300;
  Kokkos::View<char*> mark(Kokkos::view_alloc("mark", Kokkos::WithoutInitializing), n);
  Kokkos::View<int*> y("y", n);
  Kokkos::parallel_for(
      "set", n, KOKKOS_LAMBDA(int i) {
        if (i % 2 == 0) mark(i) = 1;
      });
  Kokkos::parallel_for(
      "read", n, KOKKOS_LAMBDA(int i) {
        y(i) = mark(i);  // EXPECT: uninit-global
      });
  Kokkos::fence();
}
