// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As labels of a tree are reduced (ArborX, reduceLabels): the second child to come knows so from what its atomic gave back,
// and is alone with the word; so it stores there without an atomic. But nothing says that the first child's store by its
// atomic comes first.
#include <Kokkos_Core.hpp>

int main() {
  Kokkos::ScopeGuard guard;
  int const n = 1024;
  Kokkos::View<int*> labels("labels", n);
  Kokkos::deep_copy(labels, -2);
  Kokkos::parallel_for("reduce_labels", 2 * n, KOKKOS_LAMBDA(int i) {
    int const parent = i % n;
    int const seen = Kokkos::atomic_compare_exchange(&labels(parent), -2, i);  // EXPECT: unfenced-handover
    if (seen == -2) return;  // the first child
    labels(parent) = -1;  // EXPECT: unfenced-handover
  });
  Kokkos::fence();
}
