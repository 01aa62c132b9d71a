// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Every thread has a one-byte flag of its own; four of them share a 4-byte word, which is no race.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Flags = Kokkos::View<bool*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 64, league = 2;
  Kokkos::View<int**> out("out", league, team_size);
  auto policy = Policy(league, team_size).set_scratch_size(0, Kokkos::PerTeam(Flags::shmem_size(team_size)));
  Kokkos::parallel_for(
      "flags", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Flags flags(team.team_scratch(0), team.team_size());
        int const t = team.team_rank(), l = team.league_rank();
        flags(t) = t % 2 == 0;
        team.team_barrier();
        out(l, t) = flags(t) ? 1 : 0;
      });
  Kokkos::fence();
}
