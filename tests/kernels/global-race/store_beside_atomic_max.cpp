// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A maximum by atomics that changes nothing in most lanes: on a GPU it is one all the same, and races with a plain store.
#include <Kokkos_Core.hpp>

int main() {
  Kokkos::ScopeGuard guard;
  int const n = 20'000;
  Kokkos::View<double*> highest("highest", n);
  Kokkos::deep_copy(highest, 10.0);
  Kokkos::parallel_for("update", n, KOKKOS_LAMBDA(int i) {
    Kokkos::atomic_max(&highest(i), i < 300 ? 20.0 : 1.0);
    if (i % 1000 == 999) highest((i + 700) % n) = i;  // EXPECT: global-race
  });
  Kokkos::fence();
}
