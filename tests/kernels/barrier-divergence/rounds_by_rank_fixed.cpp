// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Every thread comes to the same number of barriers.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 8;
  Kokkos::View<int*> y("y", team_size);
  Kokkos::parallel_for(
      "rounds", Policy(3, team_size), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const t = team.team_rank();
        for (int round = 0; round < team_size; ++round) {
          if (round == t && team.league_rank() == 0) y(t) += round;
          team.team_barrier();
        }
      });
  Kokkos::fence();
}
