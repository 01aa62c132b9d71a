// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Every team writes a partial sum, then counts itself done behind a fence; the team that counts last adds
// them up.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Flag = Kokkos::View<bool, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 32, league = 10;
  Kokkos::View<long*> part("part", league);
  Kokkos::View<long> total("total");
  Kokkos::View<int> done("done");
  auto policy = Policy(league, team_size).set_scratch_size(0, Kokkos::PerTeam(Flag::shmem_size()));
  Kokkos::parallel_for(
      "sum", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Flag last(team.team_scratch(0));
        long sum = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, 100), [&](int i, long& update) { update += i; }, sum);
        if (team.team_rank() == 0) {
          part(team.league_rank()) = sum;
          Kokkos::memory_fence();
          last() = Kokkos::atomic_fetch_add(&done(), 1) == league - 1;
          Kokkos::memory_fence();
        }
        team.team_barrier();
        if (last()) {
          long all = 0;
          Kokkos::parallel_reduce(
              Kokkos::TeamThreadRange(team, league), [&](int l, long& update) { update += part(l); }, all);
          if (team.team_rank() == 0) total() = all;
        }
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), total);
  return host() == 4950 * league ? 0 : 1;
}
