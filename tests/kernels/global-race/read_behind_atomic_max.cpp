// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A maximum by atomics that most lanes leave as it is, beside plain reads of it by lanes of later blocks.
#include <Kokkos_Core.hpp>

int main() {
  Kokkos::ScopeGuard guard;
  int const n = 20'000;
  Kokkos::View<double> highest("highest");
  Kokkos::View<double*> out("out", n);
  Kokkos::parallel_for("update", n, KOKKOS_LAMBDA(int i) {
    if (i < n / 2)
      Kokkos::atomic_max(&highest(), i < 10 ? 1.0 * i : 0.0);
    else
      out(i) = highest();  // EXPECT: global-race
  });
  Kokkos::fence();
}
