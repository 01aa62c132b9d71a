// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// It reads the row that is there.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Policy = Kokkos::TeamPolicy<>;
  using Member = Policy::member_type;
  using Row = Kokkos::View<int*, Kokkos::DefaultExecutionSpace::scratch_memory_space, Kokkos::MemoryUnmanaged>;
  int const length = 100;
  Kokkos::View<int*> out("out", 64);
  Kokkos::parallel_for(
      "rows", Policy(2, 32).set_scratch_size(0, Kokkos::PerTeam(Row::shmem_size(length))),
      KOKKOS_LAMBDA(Member const& team) {
        Row row(team.team_scratch(0), length);
        int const me = team.team_rank();
        for (int i = me; i < length; i += 32) row(i) = i;
        team.team_barrier();
        out(team.league_rank() * 32 + me) = row(me);
      });
  Kokkos::fence();
}
