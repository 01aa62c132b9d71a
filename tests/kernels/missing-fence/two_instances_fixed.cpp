// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The first instance is fenced before the second one reads what it wrote.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 256;
  auto const instances = Kokkos::Experimental::partition_space(Kokkos::DefaultExecutionSpace(), 1, 1);
  Kokkos::View<double*> x("x", n), y("y", n);
  Kokkos::parallel_for(
      "produce", Kokkos::RangePolicy<>(instances[0], 0, n), KOKKOS_LAMBDA(int i) {
        x(i) = i;
      });
  instances[0].fence();
  Kokkos::parallel_for(
      "consume", Kokkos::RangePolicy<>(instances[1], 0, n), KOKKOS_LAMBDA(int i) {
        y(i) = x(n - 1 - i);
      });
  Kokkos::fence();
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  return host(0) == n - 1 ? 0 : 1;
}
