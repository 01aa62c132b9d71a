// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host code fills device memory through View::data().
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> x("x", 10);
  int* data = x.data();
  for (int i = 0; i < 10; ++i) {
    data[i] = i;  // EXPECT: wrong-space
  }
  Kokkos::View<int*> y("y", 10);
  Kokkos::parallel_for(
      "copy", 10, KOKKOS_LAMBDA(int i) { y(i) = x(i); });
  Kokkos::fence();
}
