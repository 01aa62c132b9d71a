// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Arrays of a lane's own, used up to their ends: an address right past the last element that is only compared with, rows of an
// array of arrays that are walked through as one, a place that is computed and not used, elements named from behind.
#include <Kokkos_Core.hpp>

struct Cell {
  double corner[2][4];
  int flags[3];
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 500;
  Kokkos::View<double*> sum("sum", n);
  Kokkos::View<int*> length("length", n);
  Kokkos::parallel_for(
      "lengths", n, KOKKOS_LAMBDA(int i) { length(i) = i % 5; });
  Kokkos::parallel_for(
      "cells", n, KOKKOS_LAMBDA(int i) {
        Cell cell{};
        int const l = length(i);
        double* const corners = &cell.corner[0][0];
        for (int k = 0; k < 8; ++k) corners[k] = k;
        for (int k = 0; k < 2 * l && k < 8; ++k) cell.corner[0][k] += 1;
        double own[4] = {1, 2, 3, 4}, all = 0;
        for (double* p = &own[l]; p != own + 4; ++p) all += *p;  // l may be 4
        for (int k = l; k-- > 0;) all += own[k];
        double* const behind = &own[l];
        if (l < 4) *behind = all;
        Kokkos::Array<int, 4> turned{};
        for (int k = 0; k < l; ++k) turned[l - 1 - k] = k;
        if (l < 3) cell.flags[l] = turned[0];
        sum(i) = all + cell.corner[1][3 - l % 4] + cell.flags[l % 3];
      });
  Kokkos::fence();
}
