// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums the numbers below its argument on Kokkos' default execution space and says which one that is.
#include "physics.hpp"

#include <cstdio>
#include <cstdlib>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = argc > 1 ? std::atoi(argv[1]) : 1000;
  Kokkos::View<double*> field("field", n);
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) { field(i) = i; });
  double const sum = total(field);
  std::printf("%s: the numbers below %d add up to %.0f\n", Kokkos::DefaultExecutionSpace::name(), n, sum);
  return sum == 0.5 * n * (n - 1.0) ? 0 : 1;
}
