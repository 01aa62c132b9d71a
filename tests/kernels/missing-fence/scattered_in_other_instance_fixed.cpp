// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The instance that scatters is fenced before the other one gathers.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4096;
  auto const instances = Kokkos::Experimental::partition_space(Kokkos::DefaultExecutionSpace(), 1, 1);
  Kokkos::View<double*> x("x", n), y("y", n);
  Kokkos::View<int*> list("list", n);
  Kokkos::parallel_for(
      "list", n, KOKKOS_LAMBDA(int i) { list(i) = n - 1 - (i ^ 1); });
  Kokkos::fence();
  Kokkos::parallel_for(
      "scatter", Kokkos::RangePolicy<>(instances[0], 0, n), KOKKOS_LAMBDA(int i) {
        if (list(i) % 3 != 0) x(list(i)) = i;
      });
  instances[0].fence();
  Kokkos::parallel_for(
      "gather", Kokkos::RangePolicy<>(instances[1], 0, n), KOKKOS_LAMBDA(int i) {
        if (i % 2 == 0) y(i) = x(list(i));
      });
  Kokkos::fence();
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  return host(1) == 0 ? 0 : 1;
}
