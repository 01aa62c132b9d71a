// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

int main() {
  Kokkos::ScopeGuard guard;
  int const n = 1024;
  Kokkos::View<int*> labels("labels", n);
  Kokkos::deep_copy(labels, -2);
  Kokkos::parallel_for("reduce_labels", 2 * n, KOKKOS_LAMBDA(int i) {
    int const parent = i % n;
    Kokkos::memory_fence();
    int const seen = Kokkos::atomic_compare_exchange(&labels(parent), -2, i);
    if (seen == -2) return;  // the first child
    labels(parent) = -1;     // EXPECT-NONE
  });
  Kokkos::fence();
}
