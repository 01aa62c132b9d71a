// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A barrier after single(PerTeam) makes its value visible to the team.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Shared = Kokkos::View<double, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 32, league = 4;
  Kokkos::View<double*> scale("scale", league), y("y", league * team_size);
  auto policy = Policy(league, team_size, 2).set_scratch_size(0, Kokkos::PerTeam(Shared::shmem_size()));
  Kokkos::parallel_for(
      "scale", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Shared factor(team.team_scratch(0));
        Kokkos::single(Kokkos::PerTeam(team), [&] { factor() = 2 + scale(team.league_rank()); });
        team.team_barrier();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, team_size),
                             [&](int t) { y(team.league_rank() * team_size + t) = factor(); });
      });
  Kokkos::fence();
}
