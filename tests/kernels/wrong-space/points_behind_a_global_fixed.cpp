// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The points are a copy in device memory, and where they lie is a value that kernels capture.
#include <Kokkos_Core.hpp>

namespace {

KOKKOS_INLINE_FUNCTION double point(double const* points, int i) {
  return points[i];
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  int const n = 64;
  Kokkos::View<double*, Kokkos::HostSpace> points("points", n);
  for (int i = 0; i < n; ++i) points(i) = 0.5 * i;
  auto const points_of_device = Kokkos::create_mirror_view_and_copy(Kokkos::DefaultExecutionSpace(), points);
  double const* const at = points_of_device.data();
  Kokkos::View<double*> place("place", n);
  Kokkos::parallel_for(
      "places", n, KOKKOS_LAMBDA(int i) { place(i) = point(at, i); });
  Kokkos::parallel_for(
      "widths", n - 1, KOKKOS_LAMBDA(int i) { place(i) = point(at, i + 1) - point(at, i); });
  Kokkos::fence();
}
