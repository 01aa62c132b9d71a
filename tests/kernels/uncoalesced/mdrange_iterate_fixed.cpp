// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix laid out by rows, whose last index runs from lane to lane: neighbouring lanes have neighbouring elements.
// OPTIONS: check=all,coalesce:device=h100
// EXPECT-NONE
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  constexpr int n = 128;
  using Policy = Kokkos::MDRangePolicy<Kokkos::Rank<2, Kokkos::Iterate::Right, Kokkos::Iterate::Right>>;
  Kokkos::View<double**, Kokkos::LayoutRight> matrix("matrix", n, n);
  Kokkos::parallel_for(
      "double", Policy({0, 0}, {n, n}), KOKKOS_LAMBDA(int i, int j) {
        matrix(i, j) = 2.0 * i + j;
      });
}
