// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One element past a View whose last eight bytes are not full.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> x("x", 7), y("y", 7);
  Kokkos::parallel_for(
      "shift", 7, KOKKOS_LAMBDA(int i) {
        y(i) = x.data()[i + 1];  // EXPECT: out-of-bounds
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  return host(0);
}
