// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Host code fills a mirror and copies it.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> x("x", 10);
  auto host = Kokkos::create_mirror_view(x);
  int* data = host.data();
  for (int i = 0; i < 10; ++i) {
    data[i] = i;
  }
  Kokkos::deep_copy(x, host);
  Kokkos::View<int*> y("y", 10);
  Kokkos::parallel_for(
      "copy", 10, KOKKOS_LAMBDA(int i) { y(i) = x(i); });
  Kokkos::fence();
}
