// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Every collective is a barrier: scratch written before it is read after it, and overwritten after the next
// one.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Row = Kokkos::View<double*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 32, league = 3;
  Kokkos::View<double**> out("out", league, team_size);
  auto policy = Policy(league, team_size).set_scratch_size(0, Kokkos::PerTeam(Row::shmem_size(team_size)));
  Kokkos::parallel_for(
      "collectives", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Row row(team.team_scratch(0), team_size);
        int const t = team.team_rank(), next = (t + 1) % team_size;
        row(t) = t;
        float factor = t;
        team.team_broadcast(factor, 5);
        double sum = row(next) * factor;
        int odd = t % 2;
        team.team_reduce(Kokkos::Sum<int>(odd));
        row(t) = 2 * t;
        double const before = team.team_scan(double(t));
        sum += row(next) + before + odd;
        char seven = 0;
        Kokkos::single(
            Kokkos::PerTeam(team), [&](char& value) { value = 7; }, seven);
        row(t) = 3 * t;
        long total = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, 100), [&](int i, long& update) { update += i; }, total);
        sum += row(next) + seven + total;
        double largest = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, team_size),
            [&](int i, double& update) {
              double const value = row(team_size - 1 - i);
              if (value > update) update = value;
            },
            Kokkos::Max<double>(largest));
        row(t) = largest;
        int last = 0;
        Kokkos::parallel_scan(
            Kokkos::TeamThreadRange(team, team_size), [&](int, int& update, bool) { update += 1; }, last);
        sum += row(next);
        team.team_barrier();
        out(team.league_rank(), t) = sum;
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  return host(0, 0) == 5076 && host(2, 31) == 5531 ? 0 : 1;
}
