// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A plain loop inside the TeamThreadRange.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const rows = 8, columns = 8;
  Kokkos::View<int**> y("y", rows, columns);
  Kokkos::parallel_for(
      "ranges", Policy(1, rows), KOKKOS_LAMBDA(Policy::member_type const& team) {
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rows), [&](int i) {
          for (int j = 0; j < columns; ++j) y(i, j) = i;
        });
      });
  Kokkos::fence();
}
