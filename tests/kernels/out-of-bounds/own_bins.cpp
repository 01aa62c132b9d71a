// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NEEDS: the plug-in
// Each iteration sorts its row into eight bins of its own; the largest value has a ninth.
// EXPECT-OUTPUT: \[out-of-bounds\] write outside an array of the lane's own
// EXPECT-OUTPUT: bins\[8\]: an array of the lane's own, 8 elements of 4 bytes, right past its end
// EXPECT-OUTPUT: keep the index from 0 to below 8
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
          int const bin = static_cast<int>(value(r, c) * 8);
          bins[bin] = bins[bin] + 1;  // EXPECT: out-of-bounds
        }
        int most = 0;
        for (int b = 1; b < 8; ++b)
          if (bins[b] > bins[most]) most = b;
        fullest(r) = most;
      });
  Kokkos::fence();
}
