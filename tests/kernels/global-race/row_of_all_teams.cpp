// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row for the exchange within a team that has no index of the team: the first team writes it, the threads of it and of all
// others read. A barrier orders the threads of the one; the teams it does not order, and that is a finding of its own.
// EXPECT-OUTPUT: write/read race on device memory within a team
// EXPECT-OUTPUT: put\s+member.team_barrier\(\)\s+between\s+\S+:20\s+and\s+\S+:21
// EXPECT-OUTPUT: write/read race on device memory between teams
// EXPECT-OUTPUT: split\s+the\s+kernel\s+in\s+two\s+between\s+\S+:20\s+and\s+\S+:21
// EXPECT-OUTPUT: 2 errors
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const width = 32, teams = 6;
  Kokkos::View<int*> row("row", width);
  Kokkos::View<int**> out("out", teams, width);
  Kokkos::parallel_for("exchange", Policy(teams, width), KOKKOS_LAMBDA(Policy::member_type const& team) {
    int const t = team.team_rank();
    if (team.league_rank() == 0) row(t) = 3 * t;          // EXPECT: global-race
    out(team.league_rank(), t) = row((t + 1) % width);  // EXPECT: global-race
  });
  Kokkos::fence();
}
