// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The host waits for the instance, whoever else has a copy of it.
#include <Kokkos_Core.hpp>

#include <optional>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<double*, Kokkos::SharedSpace> x("x", 1000);
  std::optional<Kokkos::DefaultExecutionSpace> kept;
  {
    auto const instances = Kokkos::Experimental::partition_space(Kokkos::DefaultExecutionSpace(), 1, 1);
    kept = instances[0];
    Kokkos::parallel_for(
        "produce", Kokkos::RangePolicy<>(instances[0], 0, 1000), KOKKOS_LAMBDA(int i) { x(i) = i; });
  }
  kept->fence();
  double const third = x(3);
  return third == 3 ? 0 : 1;
}
