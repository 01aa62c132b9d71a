// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors of many kinds in many teams at once: races in a team and between teams, uninitialised reads, reads
// past the end. Printed values come from races within a team only, where the order of lanes is fixed.
#include <Kokkos_Core.hpp>

#include <cstdio>

using Policy = Kokkos::TeamPolicy<>;
using Row = Kokkos::View<int*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 96, team_size = 32, bins = 16;
  Kokkos::View<int*> histogram("histogram", bins), y("y", league), overlap("overlap", league * 10 + 1);
  Kokkos::View<int> found("found");
  auto policy = Policy(league, team_size).set_scratch_size(0, Kokkos::PerTeam(Row::shmem_size(team_size)));
  Kokkos::parallel_for(
      "histogram", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Row row(team.team_scratch(0), team_size);
        int const t = team.team_rank(), l = team.league_rank();
        histogram((l * team_size + t) * 7 % bins) += 1;
        row(t) = t * l;
        if (t > 0) {
          int const left = row(t - 1);
          if (t % 16 == 5) Kokkos::printf("team %d: %d left of %d\n", l, left, t);
        }
        found() = 1;
      });
  Kokkos::parallel_for(
      "uninitialised", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Row row(team.team_scratch(0), team_size);
        int const l = team.league_rank();
        if (l % 3 != 1) row(team.team_rank()) = l;
        team.team_barrier();
        int const neighbour = row((team.team_rank() + 1) % team_size);
        if (team.team_rank() == 0) y(l) = neighbour == 123'456'789 ? 1 : l;
      });
  Kokkos::parallel_for(
      "overlap", Policy(league, 16), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const begin = 10 * team.league_rank();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, begin, begin + 11),
                             [&](int i) { overlap(i) = team.league_rank(); });
      });
  Kokkos::parallel_for(
      "past the end", Kokkos::RangePolicy<>(0, 3000), KOKKOS_LAMBDA(int i) {
        if (i % 500 == 0 && y(i % 600) < 0) Kokkos::printf("%d is negative\n", i);
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  std::printf("%d %d %d\n", host(0), host(1), host(league - 1));
}
