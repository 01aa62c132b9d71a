// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The value is computed once before the kernel, which holds a copy.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  constexpr int n = 20'000;
  Kokkos::View<double*> v("v", n), out("out", n);
  double first = 0;
  Kokkos::parallel_reduce(
      "sum", n, KOKKOS_LAMBDA(int k, double& sum) { sum += v(n - 1 - k); }, first);
  Kokkos::parallel_for(
      "scale", n, KOKKOS_LAMBDA(int i) { out(i) = i < 5'000 ? 1 : first; });
  Kokkos::fence();
}
// EXPECT-NONE
