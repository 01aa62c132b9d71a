// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Each iteration adds to what those before it have.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 3000;
  Kokkos::View<double*> mass("mass", n);
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) { mass(i) = 1 + i % 7; });
  double total = 0;
  Kokkos::parallel_reduce(
      "total", n,
      KOKKOS_LAMBDA(int i, double& sum) {
        sum += 2 * mass(i);
      },
      total);
  return total <= 0;
}
