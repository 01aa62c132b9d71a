// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

int main() {
  Kokkos::ScopeGuard guard;
  int const n = 1024;
  Kokkos::View<int*> ranges("ranges", n);
  Kokkos::View<double*> boxes("boxes", 2 * n), out("out", n);
  Kokkos::deep_copy(ranges, -2);
  Kokkos::parallel_for("hierarchy", 2 * n, KOKKOS_LAMBDA(int i) {
    int const parent = i % n;
    boxes(i) = i;
    Kokkos::store_fence();
    int const seen = Kokkos::atomic_compare_exchange(&ranges(parent), -2, i);
    if (seen == -2) return;  // the first child
    Kokkos::load_fence();
    out(parent) = boxes(seen);  // EXPECT-NONE
  });
  Kokkos::fence();
}
