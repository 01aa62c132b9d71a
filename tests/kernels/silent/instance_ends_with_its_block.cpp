// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE: the last copy of the instance goes at the end of the block, and Kokkos fences it then.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<double*, Kokkos::SharedSpace> x("x", 1000);
  {
    auto const instances = Kokkos::Experimental::partition_space(Kokkos::DefaultExecutionSpace(), 1, 1);
    Kokkos::parallel_for(
        "produce", Kokkos::RangePolicy<>(instances[0], 0, 1000), KOKKOS_LAMBDA(int i) { x(i) = i; });
  }
  double const third = x(3);
  return third == 3 ? 0 : 1;
}
