// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The last element has no neighbour.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> x("x", 7), y("y", 7);
  Kokkos::parallel_for(
      "shift", 7, KOKKOS_LAMBDA(int i) { y(i) = x(i < 6 ? i + 1 : 6); });
  Kokkos::View<char**> odd("odd", 3, 3), copy("copy", 3, 3);
  Kokkos::parallel_for(
      "odd", 9, KOKKOS_LAMBDA(int i) { odd(i / 3, i % 3) += 1; });
  Kokkos::deep_copy(copy, odd);
  Kokkos::resize(copy, 5, 5);
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), copy);
  return host(2, 2) == 1 && host(4, 4) == 0 ? 0 : 1;
}
