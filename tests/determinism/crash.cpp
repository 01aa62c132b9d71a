// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane in the middle of the league crashes. What earlier teams printed and did is reported, nothing of
// later ones.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Row = Kokkos::View<int*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 120, team_size = 8;
  Kokkos::View<int*> divisors("divisors", league), y("y", league);
  Kokkos::parallel_for(
      "fill", league, KOKKOS_LAMBDA(int i) { divisors(i) = i % 50 - 37; });
  auto policy = Policy(league, team_size).set_scratch_size(0, Kokkos::PerTeam(Row::shmem_size(team_size)));
  Kokkos::parallel_for(
      "divide", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Row row(team.team_scratch(0), team_size);
        int const t = team.team_rank(), l = team.league_rank();
        row(t) = t;
        int const left = t > 0 ? row(t - 1) : 0;
        if (t == 3) {
          Kokkos::printf("team %d divides\n", l);
          y(l) = 100 / divisors(l) + left;
        }
      });
  Kokkos::fence();
}
