// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same in two kernels: all places are drawn, then each is kept that has none of a lower number near.
#include <Kokkos_Core.hpp>

int main() {
  Kokkos::ScopeGuard guard;
  int const tries = 512;
  Kokkos::View<double*> drawn("drawn", tries), placed("placed", tries);
  Kokkos::View<int> count("count");
  Kokkos::parallel_for("draw", tries, KOKKOS_LAMBDA(int i) { drawn(i) = i * 37 % 128; });
  Kokkos::parallel_for("place", tries, KOKKOS_LAMBDA(int i) {
    for (int other = 0; other < i; ++other)
      if (Kokkos::abs(drawn(other) - drawn(i)) < 2) return;
    placed(Kokkos::atomic_fetch_add(&count(), 1)) = drawn(i);  // EXPECT-NONE
  });
  Kokkos::fence();
}
