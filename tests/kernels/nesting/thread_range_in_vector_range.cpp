// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TeamThreadRange inside ThreadVectorRange: the hierarchy is the other way round.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const rows = 8, columns = 4;
  Kokkos::View<int**> y("y", rows, columns);
  Kokkos::parallel_for(
      "ranges", Policy(1, rows, columns), KOKKOS_LAMBDA(Policy::member_type const& team) {
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, columns), [&](int j) {
          auto const thread_range = Kokkos::TeamThreadRange(team, rows);
          Kokkos::parallel_for(thread_range, [&](int i) { y(i, j) = i; });  // EXPECT: nesting
        });
      });
  Kokkos::fence();
}
