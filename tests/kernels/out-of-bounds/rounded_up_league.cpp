// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The league is rounded up to whole teams, and the threads past n write too.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 100, team_size = 32, league = (n + team_size - 1) / team_size;
  Kokkos::View<float*> y("y", n);
  Kokkos::parallel_for(
      "fill", Policy(league, team_size), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const i = team.league_rank() * team_size + team.team_rank();
        y(i) = 1;  // EXPECT: out-of-bounds
      });
  Kokkos::fence();
}
