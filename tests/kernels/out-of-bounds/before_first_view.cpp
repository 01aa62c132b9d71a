// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stencil runs over all points, and in the first row reads the one before: of the program's first View, what lies in front of
// all memory that was allocated. The run goes on, and the kernel behind it is checked.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 20;
  Kokkos::View<double***, Kokkos::LayoutRight> u("u", n, n, n), du("du", n, n, n);
  Kokkos::View<int> last("last");
  // EXPECT-OUTPUT: u\(-1, 0, 2\), extents 20, 20, 20
  // EXPECT-OUTPUT: Fix     keep the index from 0 to below the View's extent
  Kokkos::parallel_for(
      "difference", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {n, n}), KOKKOS_LAMBDA(int i, int j) {
        du(i, j, 2) = u(i, j, 2) - u(i - 1, j, 2);  // EXPECT: out-of-bounds
      });
  Kokkos::parallel_for(
      "last", 64, KOKKOS_LAMBDA(int i) {
        last() = i;  // EXPECT: global-race
      });
  Kokkos::fence();
}
