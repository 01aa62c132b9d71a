// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// n counts, n + 1 offsets, scanned in place: the scan reads the last offset, which nothing has written. The read is Kokkos'
// own; the report names the call that led to it.
#include <Kokkos_Core.hpp>
#include <Kokkos_StdAlgorithms.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Space = Kokkos::DefaultExecutionSpace;
  int const n = 100;
  // EXPECT-ANYWHERE: uninit-global
  // EXPECT-OUTPUT: launched at \S*algorithm_tail.cpp:16
  // EXPECT-OUTPUT: allocated at \S*algorithm_tail.cpp:14
  Kokkos::View<int*, Space> offsets(Kokkos::view_alloc(Kokkos::WithoutInitializing, "offsets"), n + 1);
  Kokkos::parallel_for("count", Kokkos::RangePolicy<Space>(0, n), KOKKOS_LAMBDA(int i) { offsets(i) = i % 3; });
  Kokkos::Experimental::exclusive_scan(Space(), offsets, offsets, 0);
  Kokkos::fence();
}
