// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The copy is made in the kernel's own instance, which orders the two.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64;
  auto const instances = Kokkos::Experimental::partition_space(Kokkos::DefaultExecutionSpace(), 1, 1);
  Kokkos::View<int*> x("x", n);
  Kokkos::View<int*, Kokkos::HostSpace> host("host", n);
  Kokkos::parallel_for(
      "fill", Kokkos::RangePolicy<>(instances[0], 0, n), KOKKOS_LAMBDA(int i) { x(i) = i; });
  Kokkos::deep_copy(instances[0], host, x);
  instances[0].fence();
  return host(5) == 5 ? 0 : 1;
}
