// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library's grid in one global of the host's, read by two kernels at several lines: one finding for each kernel, and for each
// that writes it.
// EXPECT-OUTPUT: variable\s+of\s+the\s+host\s+program:\s+\S*\(anonymous\s+namespace\)::grid
// EXPECT-OUTPUT: Data\s+\S*\(anonymous namespace\)::grid: host memory
// EXPECT-OUTPUT: 3 errors of 1 cause
// EXPECT-OUTPUT: checked\s+as\s+that:\s+--as=CUDA
#include <Kokkos_Core.hpp>

namespace {

struct Grid {
  double origin, step;
  int first, last;
};
Grid grid;

KOKKOS_INLINE_FUNCTION double place_of(int i) {
  return grid.origin + (i - grid.first) * grid.step;  // EXPECT: wrong-space
}

struct Place {
  Kokkos::View<double*> place;
  KOKKOS_FUNCTION void operator()(int i) const {
    if (i >= grid.last) return;  // EXPECT: wrong-space
    place(i) = place_of(i);
    place(i) += grid.step;
  }
};

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  grid = {0.5, 0.25, 2, 90};
  Kokkos::View<double*> place("place", 100);
  Kokkos::parallel_for("place", 100, Place{place});
  Kokkos::parallel_for(
      "place_all", 100, KOKKOS_LAMBDA(int i) { place(i) = place_of(i); });
  Kokkos::parallel_for(
      "refine", 1, KOKKOS_LAMBDA(int) { grid.step = 0.125; });  // EXPECT: wrong-space
  Kokkos::fence();
}
