// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane reads memory of a host View.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 40;
  Kokkos::View<int*, Kokkos::HostSpace> table("table", n);
  Kokkos::View<int*> y("y", n);
  for (int i = 0; i < n; ++i) table(i) = i;
  int const* data = table.data();
  // EXPECT-OUTPUT: the\s+host\s+View\s+"table",\s+byte\s+0
  Kokkos::parallel_for(
      "lookup", n, KOKKOS_LAMBDA(int i) {
        y(i) = data[i];  // EXPECT: wrong-space
      });
  Kokkos::fence();
}
