// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// It begins with the second row.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 20;
  Kokkos::View<double***, Kokkos::LayoutRight> u("u", n, n, n), du("du", n, n, n);
  Kokkos::View<int> last("last");
  Kokkos::parallel_for(
      "difference", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({1, 0}, {n, n}), KOKKOS_LAMBDA(int i, int j) {
        du(i, j, 2) = u(i, j, 2) - u(i - 1, j, 2);
      });
  Kokkos::parallel_for(
      "last", 64, KOKKOS_LAMBDA(int i) {
        if (i == 63) last() = i;
      });
  Kokkos::fence();
}
