// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const width = 32, teams = 6;
  Kokkos::View<int*> row("row", width);
  Kokkos::View<int**> out("out", teams, width);
  Kokkos::parallel_for("fill", Policy(1, width), KOKKOS_LAMBDA(Policy::member_type const& team) {
    int const t = team.team_rank();
    row(t) = 3 * t;
  });
  Kokkos::parallel_for("exchange", Policy(teams, width), KOKKOS_LAMBDA(Policy::member_type const& team) {
    int const t = team.team_rank();
    out(team.league_rank(), t) = row((t + 1) % width);
  });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  return host(5, 0) == 3 ? 0 : 1;
}
