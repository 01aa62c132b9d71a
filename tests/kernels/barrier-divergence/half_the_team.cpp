// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Only half of the team comes to the barrier.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 32, league = 2;
  Kokkos::View<int**> y("y", league, team_size);
  Kokkos::parallel_for(
      "half", Policy(league, team_size), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const t = team.team_rank();
        if (t < 16) {
          y(team.league_rank(), t) = t;
          team.team_barrier();  // EXPECT: barrier-divergence
        }
      });
  Kokkos::fence();
}
