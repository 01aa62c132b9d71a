// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Each iteration sorts its row into eight bins of its own, the largest value into the last.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const rows = 600, columns = 20;
  Kokkos::View<double**> value("value", rows, columns);
  Kokkos::View<int*> fullest("fullest", rows);
  Kokkos::parallel_for(
      "fill", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {rows, columns}),
      KOKKOS_LAMBDA(int r, int c) { value(r, c) = r == 517 && c == 3 ? 1.0 : (r + c) % 16 / 16.0; });
  Kokkos::parallel_for(
      "sort", rows, KOKKOS_LAMBDA(int r) {
        int bins[8] = {};
        for (int c = 0; c < columns; ++c) {
          int const bin = Kokkos::min(static_cast<int>(value(r, c) * 8), 7);
          bins[bin] = bins[bin] + 1;
        }
        int most = 0;
        for (int b = 1; b < 8; ++b)
          if (bins[b] > bins[most]) most = b;
        fullest(r) = most;
      });
  Kokkos::fence();
}
