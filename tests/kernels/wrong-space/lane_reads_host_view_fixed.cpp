// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A lane reads a copy of the host View in device memory.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 40;
  Kokkos::View<int*, Kokkos::HostSpace> table("table", n);
  Kokkos::View<int*> y("y", n);
  for (int i = 0; i < n; ++i) table(i) = i;
  auto copy = Kokkos::create_mirror_view_and_copy(Kokkos::DefaultExecutionSpace(), table);
  int const* data = copy.data();
  Kokkos::parallel_for(
      "lookup", n, KOKKOS_LAMBDA(int i) { y(i) = data[i]; });
  Kokkos::fence();
}
