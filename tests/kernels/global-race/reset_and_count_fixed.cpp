// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The counters are reset by a kernel before. The slots that a team keeps for itself may be reset and counted in one.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 32, league = 8;
  Kokkos::View<int*> counters("counters", league), slots("slots", league);
  Kokkos::deep_copy(counters, 0);
  Kokkos::parallel_for(
      "count", Policy(league, team_size), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const own = team.league_rank(), next = (own + 1) % league;
        if (team.team_rank() == 0) slots(own) = 0;
        team.team_barrier();
        Kokkos::atomic_add(&slots(own), 1);
        Kokkos::atomic_add(&counters(next), 1);
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counters);
  return host(0) != team_size;
}
