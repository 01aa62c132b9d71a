// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As a tree of boxes is built from its leaves (ArborX, GenerateHierarchy): a child stores its box, then says so by an
// atomic. The child that comes second sees by what its atomic gives back whose box it may read. But nothing makes the box
// arrive before the word that announces it.
#include <Kokkos_Core.hpp>

int main() {
  Kokkos::ScopeGuard guard;
  int const n = 1024;
  Kokkos::View<int*> ranges("ranges", n);
  Kokkos::View<double*> boxes("boxes", 2 * n), out("out", n);
  Kokkos::deep_copy(ranges, -2);
  Kokkos::parallel_for("hierarchy", 2 * n, KOKKOS_LAMBDA(int i) {
    int const parent = i % n;
    boxes(i) = i;  // EXPECT: unfenced-handover
    int const seen = Kokkos::atomic_compare_exchange(&ranges(parent), -2, i);
    if (seen == -2) return;  // the first child
    Kokkos::load_fence();
    out(parent) = boxes(seen);  // EXPECT: unfenced-handover
  });
  Kokkos::fence();
}
