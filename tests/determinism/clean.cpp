// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes print and reduce; nothing is wrong. Reductions of doubles show in their last bits whether teams were
// combined in another order.
#include <Kokkos_Core.hpp>

#include <cstdio>

using Policy = Kokkos::TeamPolicy<>;
using Row = Kokkos::View<double*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 64, team_size = 32, n = 20000;
  Kokkos::View<double*> x("x", league * team_size);
  Kokkos::View<int> votes("votes");
  auto policy = Policy(league, team_size, 2).set_scratch_size(0, Kokkos::PerTeam(Row::shmem_size(team_size)));
  Kokkos::parallel_for(
      "print", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Row row(team.team_scratch(0), team_size);
        int const t = team.team_rank(), l = team.league_rank();
        row(t) = 1.0 / (1 + l + t);
        team.team_barrier();
        Kokkos::single(Kokkos::PerThread(team), [&] {
          x(l * team_size + t) = row(team_size - 1 - t);
          Kokkos::atomic_add(&votes(), t);
          if (t % 8 == 3) Kokkos::printf("league %d thread %d has %.17g\n", l, t, x(l * team_size + t));
        });
        team.team_barrier();
        if (t == 31) Kokkos::printf("league %d is done\n", l);
      });
  double sum = 0;
  Kokkos::parallel_reduce(
      "sum", n, KOKKOS_LAMBDA(int i, double& update) { update += 1.0 / (1 + i); }, sum);
  double team_sum = 0;
  Kokkos::parallel_reduce(
      "team sum", Policy(league, team_size),
      KOKKOS_LAMBDA(Policy::member_type const& team, double& update) {
        update += x(team.league_rank() * team_size + team.team_rank()) / 3;
      },
      team_sum);
  Kokkos::View<double*> prefix("prefix", n);
  double last = 0;
  Kokkos::parallel_scan(
      "scan", n,
      KOKKOS_LAMBDA(int i, double& update, bool final_pass) {
        update += 1.0 / (3 + i);
        if (final_pass) prefix(i) = update;
      },
      last);
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), prefix);
  double host_sum = 0;
  for (int i = 0; i < n; ++i) host_sum += host(i);
  int host_votes = 0;
  Kokkos::deep_copy(host_votes, votes);
  std::printf("%.17g %.17g %.17g %.17g %d\n", sum, team_sum, last, host_sum, host_votes);
}
