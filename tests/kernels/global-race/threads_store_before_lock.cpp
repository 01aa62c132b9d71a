// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread of each team sets a member of the team's struct, and then adds to it under one of Kokkos' locks, as the others do
// without waiting for it.
#include <Kokkos_Core.hpp>

struct Moments {
  long count = 0, sum = 0, squares = 0;
  KOKKOS_FUNCTION Moments operator+(Moments const& o) const {
    return {count + o.count, sum + o.sum, squares + o.squares};
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const teams = 6, threads = 4;
  Kokkos::View<Moments*> moments("moments", teams);
  using Policy = Kokkos::TeamPolicy<>;
  Kokkos::parallel_for(
      "moments", Policy(teams, threads), KOKKOS_LAMBDA(Policy::member_type const& team) {
        Moments& mine = moments(team.league_rank());
        if (team.team_rank() == 0) mine.sum = 1;  // EXPECT: global-race
        Kokkos::atomic_add(&mine, Moments{1, team.team_rank(), 1});
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), moments);
  return host(0).count == threads ? 0 : 1;
}
