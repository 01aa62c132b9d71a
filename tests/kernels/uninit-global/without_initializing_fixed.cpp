// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A View made without that property is zeroed.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 256;
  Kokkos::View<double*> x("x", n);
  Kokkos::View<double*> y("y", n);
  Kokkos::parallel_for(
      "axpy", n, KOKKOS_LAMBDA(int i) { y(i) += 2 * x(i); });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  return host(n - 1) == 0 ? 0 : 1;
}
