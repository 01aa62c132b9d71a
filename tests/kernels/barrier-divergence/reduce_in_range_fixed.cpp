// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The sum of a team whose particles lie in one cell; a thread without a particle takes part with nothing.
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
        for (int first = 0; first < each; first += team.team_size()) {
          bool const has_one = first + team.team_rank() < each;
          int const particle = team.league_rank() * each + (has_one ? first + team.team_rank() : 0);
          int least = cell(particle), most = least;
          team.team_reduce(Kokkos::Min<int>(least));
          team.team_reduce(Kokkos::Max<int>(most));
          float sum = has_one ? weight(particle) : 0;
          if (least != most) {
            if (has_one) Kokkos::atomic_add(&current(cell(particle)), sum);
            continue;
          }
          team.team_reduce(Kokkos::Sum<float>(sum));
          if (team.team_rank() == 0) Kokkos::atomic_add(&current(least), sum);
        }
      });
  Kokkos::fence();
}
