// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every thread of the team resets the counter to zero.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Counter = Kokkos::View<int, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 2;
  Kokkos::View<int*> out("out", league);
  auto policy = Policy(league, 32).set_scratch_size(0, Kokkos::PerTeam(Counter::shmem_size()));
  Kokkos::parallel_for(
      "reset", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Counter counter(team.team_scratch(0));
        counter() = 0;  // EXPECT: same-value
        team.team_barrier();
        Kokkos::atomic_add(&counter(), 1);
        team.team_barrier();
        if (team.team_rank() == 0) out(team.league_rank()) = counter();
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  return host(0) == 32 && host(1) == 32 ? 0 : 1;
}
