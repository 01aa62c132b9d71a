// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table is copied to the device; and a finding before it would be one about x, which is filled here.
#include <Kokkos_Core.hpp>

double table[131072];

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  table[100'000] = argc;
  Kokkos::View<double*> x("x", 3000), y("y", 3000), copied("copied", 131072);
  Kokkos::deep_copy(copied, Kokkos::View<double*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(table, 131072));
  Kokkos::parallel_for(
      "copy", 3000, KOKKOS_LAMBDA(int i) { y(i) = x(i); });
  Kokkos::parallel_for(
      "look_up", 3000, KOKKOS_LAMBDA(int i) { y(i) += copied(100'000 + i); });
  Kokkos::fence();
}
// EXPECT-NONE
