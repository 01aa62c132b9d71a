// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every team resets its own counter by a plain store; behind a barrier, which orders its own lanes alone, it counts into
// the next team's one, atomically.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 32, league = 8;
  Kokkos::View<int*> counters("counters", league);
  Kokkos::parallel_for(
      "count", Policy(league, team_size), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const own = team.league_rank(), next = (own + 1) % league;
        if (team.team_rank() == 0) counters(own) = 0;  // EXPECT: global-race
        team.team_barrier();
        Kokkos::atomic_add(&counters(own), 1);
        Kokkos::atomic_add(&counters(next), 1);  // EXPECT: global-race
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counters);
  return host(0) < 0;
}
