// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lanes of one team exchange through device memory without a barrier.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 64, league = 4;
  Kokkos::View<double**> work("work", league, team_size), y("y", league, team_size);
  Kokkos::parallel_for(
      "exchange", Policy(league, team_size), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const t = team.team_rank(), l = team.league_rank();
        work(l, t) = t;                          // EXPECT: global-race
        y(l, t) = work(l, (t + 1) % team_size);  // EXPECT: global-race
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  return host(0, 0) < 0;
}
