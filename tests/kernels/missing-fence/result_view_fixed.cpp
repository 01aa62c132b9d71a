// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A fence waits for a reduction into a View; one into a scalar waits by itself.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 1000;
  Kokkos::View<int, Kokkos::HostSpace> total("total");
  int scalar = 0;
  Kokkos::parallel_reduce(
      "scalar", n, KOKKOS_LAMBDA(int i, int& update) { update += i; }, scalar);
  bool right = scalar == 499500;
  Kokkos::parallel_reduce(
      "total", n, KOKKOS_LAMBDA(int i, int& update) { update += i; }, total);
  Kokkos::fence();
  right = right && total() == 499500;
  return right ? 0 : 1;
}
