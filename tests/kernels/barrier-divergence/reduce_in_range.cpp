// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sum of a team whose particles lie in one cell; each thread that has a particle takes part in it.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 32, league = 2, cells = 4;
  Kokkos::View<int*> cell("cell", 44);
  Kokkos::View<float*> weight("weight", 44), current("current", cells);
  int const each = cell.extent_int(0) / league;
  Kokkos::parallel_for(
      "advance", Policy(league, team_size), KOKKOS_LAMBDA(Policy::member_type const& team) {
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, each), [&](int n) {
          int const particle = team.league_rank() * each + n;
          int least = cell(particle), most = least;
          team.team_reduce(Kokkos::Min<int>(least));  // EXPECT: barrier-divergence
          team.team_reduce(Kokkos::Max<int>(most));   // EXPECT: barrier-divergence
          float sum = weight(particle);
          if (least != most) {
            Kokkos::atomic_add(&current(cell(particle)), sum);
            return;
          }
          team.team_reduce(Kokkos::Sum<float>(sum));  // EXPECT: barrier-divergence
          if (team.team_rank() == 0) Kokkos::atomic_add(&current(least), sum);
        });
      });
  Kokkos::fence();
}
