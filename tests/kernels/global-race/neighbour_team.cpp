// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A team reads what the team before it writes in the same kernel: nothing orders two teams.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 32, league = 6;
  Kokkos::View<double**> edge("edge", league, team_size), y("y", league, team_size);
  Kokkos::parallel_for(
      "edges", Policy(league, team_size), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const t = team.team_rank(), l = team.league_rank();
        edge(l, t) = l;  // EXPECT: global-race
        team.team_barrier();
        if (l > 0) {
          y(l, t) = edge(l - 1, t);  // EXPECT: global-race
        }
      });
  Kokkos::fence();
}
