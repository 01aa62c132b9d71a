// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The plain load of the total comes after a barrier that follows the atomic adds.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Total = Kokkos::View<int, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 32, league = 2;
  Kokkos::View<int*> out("out", league);
  auto policy = Policy(league, team_size).set_scratch_size(0, Kokkos::PerTeam(Total::shmem_size()));
  Kokkos::parallel_for(
      "total", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Total total(team.team_scratch(0));
        int const t = team.team_rank();
        if (t == 0) total() = 0;
        team.team_barrier();
        Kokkos::atomic_add(&total(), t);
        team.team_barrier();
        if (t == 31) {
          out(team.league_rank()) = total();
        }
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  return host(1) == 496 ? 0 : 1;
}
