// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The whole team calls it.
#include <Kokkos_Core.hpp>

#include <Kokkos_StdAlgorithms.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 4, columns = 100;
  Kokkos::View<int**, Kokkos::LayoutRight> y("y", league, columns);
  Kokkos::parallel_for(
      "fill", Policy(league, 16), KOKKOS_LAMBDA(Policy::member_type const& team) {
        auto const row = Kokkos::subview(y, team.league_rank(), Kokkos::ALL);
        Kokkos::Experimental::fill(team, row, 3);
      });
  Kokkos::fence();
}
