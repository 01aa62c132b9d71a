// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Nobody writes past the scratch View.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Row = Kokkos::View<double*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 32, league = 2;
  Kokkos::View<double**> y("y", league, team_size);
  auto policy =
      Policy(league, team_size).set_scratch_size(0, Kokkos::PerTeam(2 * Row::shmem_size(team_size)));
  Kokkos::parallel_for(
      "rows", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Row a(team.team_scratch(0), team_size), b(team.team_scratch(0), team_size);
        int const t = team.team_rank();
        a(t) = 0;
        b(t) = t;
        team.team_barrier();
        a((t + 1) % team_size) = b(t);
        team.team_barrier();
        y(team.league_rank(), t) = a(t);
      });
  Kokkos::fence();
}
