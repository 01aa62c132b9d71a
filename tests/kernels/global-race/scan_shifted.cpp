// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scan in place that adds up what the next lane holds: that lane may have stored its prefix there already.
#include <Kokkos_Core.hpp>

int main() {
  Kokkos::ScopeGuard guard;
  int const n = 1000;
  Kokkos::View<int*> x("x", n + 1);
  Kokkos::parallel_scan("shift", n, KOKKOS_LAMBDA(int i, int& sum, bool last) {
    sum += x(i + 1);
    if (last) x(i) = sum;  // EXPECT: global-race
  });
  Kokkos::fence();
}
