// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The prefixes go to a View of their own.
#include <Kokkos_Core.hpp>

int main() {
  Kokkos::ScopeGuard guard;
  int const n = 1000;
  Kokkos::View<int*> x("x", n + 1), prefix("prefix", n);
  Kokkos::parallel_scan("shift", n, KOKKOS_LAMBDA(int i, int& sum, bool last) {
    sum += x(i + 1);
    if (last) prefix(i) = sum;
  });
  Kokkos::fence();
}
