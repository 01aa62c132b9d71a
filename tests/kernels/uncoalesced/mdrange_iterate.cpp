// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix laid out by rows, whose first index runs from lane to lane: each lane's element lies in a row of its own.
// OPTIONS: check=all,coalesce:device=h100
// EXPECT-EXIT: 0
// EXPECT-OUTPUT: Kokkos::Iterate::Right\s+in\s+both\s+places\s+of\s+the\s+policy's\s+Rank
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  constexpr int n = 128;
  using Policy = Kokkos::MDRangePolicy<Kokkos::Rank<2, Kokkos::Iterate::Left, Kokkos::Iterate::Left>>;
  Kokkos::View<double**, Kokkos::LayoutRight> matrix("matrix", n, n);
  Kokkos::parallel_for(
      "double", Policy({0, 0}, {n, n}), KOKKOS_LAMBDA(int i, int j) {
        matrix(i, j) = 2.0 * i + j;  // EXPECT: uncoalesced
      });
}
