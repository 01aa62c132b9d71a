// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An assignment where an addition is meant; each lane keeps the last of its elements.
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
        sum = 2 * mass(i);  // EXPECT: lost-contribution
      },
      total);
  return total <= 0;
}
