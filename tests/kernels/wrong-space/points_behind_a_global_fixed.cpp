// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The grid, whose points are a copy in device memory, is a value that kernels capture.
#include <Kokkos_Core.hpp>

namespace {

struct Grid {
  double const* points;
  int size;
};

KOKKOS_INLINE_FUNCTION double point(Grid const& grid, int i) {
  return grid.points[i];
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  int const n = 64;
  Kokkos::View<double*, Kokkos::HostSpace> points("points", n);
  for (int i = 0; i < n; ++i) points(i) = 0.5 * i;
  auto const points_of_device = Kokkos::create_mirror_view_and_copy(Kokkos::DefaultExecutionSpace(), points);
  Grid const grid{points_of_device.data(), n};
  Kokkos::View<double*> place("place", n);
  Kokkos::parallel_for(
      "places", n, KOKKOS_LAMBDA(int i) { place(i) = point(grid, i); });
  Kokkos::parallel_for(
      "widths", n - 1, KOKKOS_LAMBDA(int i) { place(i) = point(grid, i + 1) - point(grid, i); });
  Kokkos::fence();
}
