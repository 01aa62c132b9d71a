// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each team reads a row of its scratch that lies before the first one, farther than any gap between pieces.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Policy = Kokkos::TeamPolicy<>;
  using Member = Policy::member_type;
  using Row = Kokkos::View<int*, Kokkos::DefaultExecutionSpace::scratch_memory_space, Kokkos::MemoryUnmanaged>;
  int const length = 100;
  Kokkos::View<int*> out("out", 64);
  // EXPECT-OUTPUT: 800 bytes before the first of the piece of 400 bytes
  // EXPECT-OUTPUT: Fix     keep the index from 0 to below the extent of the scratch View
  // EXPECT-OUTPUT: 64 accesses in 2 of 2 teams
  Kokkos::parallel_for(
      "rows", Policy(2, 32).set_scratch_size(0, Kokkos::PerTeam(Row::shmem_size(length))),
      KOKKOS_LAMBDA(Member const& team) {
        Row row(team.team_scratch(0), length);
        int const me = team.team_rank();
        for (int i = me; i < length; i += 32) row(i) = i;
        team.team_barrier();
        out(team.league_rank() * 32 + me) = row(me - 2 * length);  // EXPECT: out-of-bounds
      });
  Kokkos::fence();
}
