// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The stores into other iterations' words are atomic as well.
#include <Kokkos_Core.hpp>

int main() {
  Kokkos::ScopeGuard guard;
  int const n = 20'000;
  Kokkos::View<double*> highest("highest", n);
  Kokkos::deep_copy(highest, 10.0);
  Kokkos::parallel_for("update", n, KOKKOS_LAMBDA(int i) {
    Kokkos::atomic_max(&highest(i), i < 300 ? 20.0 : 1.0);
    if (i % 1000 == 999) Kokkos::atomic_store(&highest((i + 700) % n), 1.0 * i);
  });
  Kokkos::fence();
}
