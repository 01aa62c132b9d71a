// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// ThreadVectorRange inside TeamThreadRange.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const rows = 8, columns = 4;
  Kokkos::View<int**> y("y", rows, columns);
  Kokkos::parallel_for(
      "ranges", Policy(1, rows, columns), KOKKOS_LAMBDA(Policy::member_type const& team) {
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rows), [&](int i) {
          auto const vector_range = Kokkos::ThreadVectorRange(team, columns);
          Kokkos::parallel_for(vector_range, [&](int j) { y(i, j) = i; });
        });
      });
  Kokkos::fence();
}
