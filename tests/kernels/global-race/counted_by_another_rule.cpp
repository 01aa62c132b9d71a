// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Neighbours are counted, offsets are made of the counts, and a second kernel fills (Cabana, VerletListBuilder with a radius of
// each particle's own). A particle that reaches one which does not reach it is filled in on both sides, but was counted twice
// on its own: the other's list runs into the next particle's.
#include <Kokkos_Core.hpp>

int main() {
  Kokkos::ScopeGuard guard;
  int const n = 1024;
  Kokkos::View<int*> counts("counts", n), offsets("offsets", n);
  auto const radius = KOKKOS_LAMBDA(int i) { return i % 8 == 0 ? 2 : 1; };
  Kokkos::parallel_for("count", n, KOKKOS_LAMBDA(int i) {
    for (int j = Kokkos::max(0, i - 2); j < Kokkos::min(n, i + 3); ++j) {
      int const away = Kokkos::abs(i - j);
      if (away == 0 || away > radius(i)) continue;
      counts(i) += away > radius(j) ? 2 : 1;
    }
  });
  int total = 0;
  Kokkos::parallel_scan("offsets", n, KOKKOS_LAMBDA(int i, int& sum, bool last) {
    if (last) offsets(i) = sum;
    sum += counts(i);
  }, total);
  Kokkos::View<int*> neighbours("neighbours", total);
  Kokkos::deep_copy(counts, 0);
  Kokkos::parallel_for("fill", n, KOKKOS_LAMBDA(int i) {
    for (int j = Kokkos::max(0, i - 2); j < Kokkos::min(n, i + 3); ++j) {
      int const away = Kokkos::abs(i - j);
      if (away == 0 || away > radius(i)) continue;
      for (int side = 0; side != (away > radius(j) ? 2 : 1); ++side) {
        int const of = side == 0 ? i : j, other = side == 0 ? j : i;
        neighbours(offsets(of) + Kokkos::atomic_fetch_add(&counts(of), 1)) = other;  // EXPECT: global-race
      }
    }
  });
  Kokkos::fence();
}
