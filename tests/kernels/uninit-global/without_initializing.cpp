// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A View made WithoutInitializing is read before anything has written it.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 256;
  Kokkos::View<double*> x(Kokkos::view_alloc(Kokkos::WithoutInitializing, "x"), n);
  Kokkos::View<double*> y("y", n);
  Kokkos::parallel_for(
      "axpy", n, KOKKOS_LAMBDA(int i) {
        y(i) += 2 * x(i);  // EXPECT: uninit-global
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  return host(n - 1) < 0;
}
