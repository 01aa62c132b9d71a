// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Every team fills the coefficients it reads.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Table = Kokkos::View<double*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 16, league = 12;
  Kokkos::View<double**> y("y", league, team_size);
  auto policy = Policy(league, team_size).set_scratch_size(0, Kokkos::PerTeam(Table::shmem_size(team_size)));
  Kokkos::parallel_for(
      "coefficients", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Table table(team.team_scratch(0), team_size);
        int const t = team.team_rank();
        table(t) = 1.0 / (t + 1);
        team.team_barrier();
        y(team.league_rank(), t) = table(t);
      });
  Kokkos::fence();
}
