// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The atomic counter starts from zero.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Counter = Kokkos::View<int, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 32, league = 2;
  Kokkos::View<int*> counts("counts", league);
  auto policy = Policy(league, team_size).set_scratch_size(0, Kokkos::PerTeam(Counter::shmem_size()));
  Kokkos::parallel_for(
      "count", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Counter counter(team.team_scratch(0));
        Kokkos::single(Kokkos::PerTeam(team), [&] { counter() = 0; });
        team.team_barrier();
        Kokkos::atomic_inc(&counter());
        team.team_barrier();
        Kokkos::single(Kokkos::PerTeam(team), [&] { counts(team.league_rank()) = counter(); });
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counts);
  return host(0) == team_size && host(1) == team_size ? 0 : 1;
}
