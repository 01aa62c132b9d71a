// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// n counts, n + 1 offsets, the last of which is 0 before the scan.
// EXPECT-NONE
#include <Kokkos_Core.hpp>
#include <Kokkos_StdAlgorithms.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Space = Kokkos::DefaultExecutionSpace;
  int const n = 100;
  Kokkos::View<int*, Space> offsets("offsets", n + 1);
  Kokkos::parallel_for("count", Kokkos::RangePolicy<Space>(0, n), KOKKOS_LAMBDA(int i) { offsets(i) = i % 3; });
  Kokkos::Experimental::exclusive_scan(Space(), offsets, offsets, 0);
  Kokkos::fence();
}
