// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Kokkos::fence() waits for the kernel before the host reads.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 100;
  Kokkos::View<int*, Kokkos::SharedSpace> x("x", n);
  for (int i = 0; i < n; ++i) x(i) = i;
  Kokkos::parallel_for(
      "square", n, KOKKOS_LAMBDA(int i) {
        x(i) *= x(i);
      });
  Kokkos::fence();
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += x(i);
  return sum == 328350 ? 0 : 1;
}
