// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The threads past n do nothing.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 100, team_size = 32, league = (n + team_size - 1) / team_size;
  Kokkos::View<float*> y("y", n);
  Kokkos::parallel_for(
      "fill", Policy(league, team_size), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const i = team.league_rank() * team_size + team.team_rank();
        if (i < n) y(i) = 1;
      });
  Kokkos::fence();
}
