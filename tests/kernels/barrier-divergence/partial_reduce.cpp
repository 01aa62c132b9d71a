// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A team collective is called by part of the team only.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 32, league = 2;
  Kokkos::View<int*> y("y", league);
  Kokkos::parallel_for(
      "partial", Policy(league, team_size), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const t = team.team_rank();
        if (t >= 20) return;
        int sum = t;
        team.team_reduce(Kokkos::Sum<int>(sum));  // EXPECT: barrier-divergence
        if (t == 0) y(team.league_rank()) = sum;
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  return host(1) < 0;
}
