// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A grid in a global of the host's points to a host View: what two kernels read there has that View's name, by which a
// suppression reaches it, and is of one cause.
// EXPECT-OUTPUT: Data\s+points:\s+host\s+memory
// EXPECT-OUTPUT: the\s+host\s+View\s+"points",\s+byte\s+0
// EXPECT-OUTPUT: 4 errors of 2 causes
#include <Kokkos_Core.hpp>

namespace {

struct Grid {
  double const* points;
  int size;
};
Grid grid;

KOKKOS_INLINE_FUNCTION double point(int i) {
  return grid.points[i];  // EXPECT: wrong-space
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  int const n = 64;
  Kokkos::View<double*, Kokkos::HostSpace> points("points", n);
  for (int i = 0; i < n; ++i) points(i) = 0.5 * i;
  grid = {points.data(), n};
  Kokkos::View<double*> place("place", n);
  Kokkos::parallel_for(
      "places", n, KOKKOS_LAMBDA(int i) { place(i) = point(i); });
  Kokkos::parallel_for(
      "widths", n - 1, KOKKOS_LAMBDA(int i) { place(i) = point(i + 1) - point(i); });
  Kokkos::fence();
}
