// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control flow that hangs on the order in which teams run: each team draws a ticket and acts by it, doubles
// are added up atomically, and teams read what others have left. The same at every run under deterministic=1
// only.
#include <Kokkos_Core.hpp>

#include <cstdio>

using Policy = Kokkos::TeamPolicy<>;
using Row = Kokkos::View<int*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 80, team_size = 16;
  Kokkos::View<int> tickets("tickets"), shared("shared");
  Kokkos::View<double> sum("sum");
  Kokkos::View<int*> owner("owner", league);
  auto policy = Policy(league, team_size).set_scratch_size(0, Kokkos::PerTeam(Row::shmem_size(1)));
  Kokkos::parallel_for(
      "tickets", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Row ticket(team.team_scratch(0), 1);
        int const l = team.league_rank();
        if (team.team_rank() == 0) ticket(0) = Kokkos::atomic_fetch_add(&tickets(), 1);
        if (ticket(0) % 2 == 0) {
          team.team_barrier();
          Kokkos::atomic_add(&sum(), 1.0 / (1 + l + team.team_rank()));
        }
        if (team.team_rank() == 0) {
          owner(ticket(0)) = l;
          shared() = shared() * 3 + l;
          Kokkos::printf("team %d drew %d and saw %d\n", l, ticket(0), shared());
        }
      });
  double host_sum = 0;
  Kokkos::deep_copy(host_sum, sum);
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), owner);
  std::printf("%.17g", host_sum);
  for (int i = 0; i < league; ++i) std::printf(" %d", host(i));
  std::printf("\n");
}
