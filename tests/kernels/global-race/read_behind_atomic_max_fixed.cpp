// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The maximum is read by a kernel of its own.
#include <Kokkos_Core.hpp>

int main() {
  Kokkos::ScopeGuard guard;
  int const n = 20'000;
  Kokkos::View<double> highest("highest");
  Kokkos::View<double*> out("out", n);
  Kokkos::parallel_for("update", n, KOKKOS_LAMBDA(int i) {
    if (i < n / 2) Kokkos::atomic_max(&highest(), i < 10 ? 1.0 * i : 0.0);
  });
  Kokkos::parallel_for("read", n, KOKKOS_LAMBDA(int i) {
    if (i >= n / 2) out(i) = highest();
  });
  Kokkos::fence();
}
