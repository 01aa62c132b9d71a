// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vector lanes of a thread repeat its stores: reported by --strict.
// OPTIONS: strict=1
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Row = Kokkos::View<int*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 4, vector_length = 8, league = 2;
  Kokkos::View<int**> out("out", league, team_size);
  auto policy = Policy(league, team_size, vector_length).set_scratch_size(0, Kokkos::PerTeam(Row::shmem_size(team_size)));
  Kokkos::parallel_for(
      "flags", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Row row(team.team_scratch(0), team_size);
        out(team.league_rank(), team.team_rank()) = 1;  // EXPECT: same-value
        row(team.team_rank()) = 2;                      // EXPECT: same-value
      });
  Kokkos::fence();
}
// EXPECT-OUTPUT: put\s+the\s+store\s+into\s+single\(PerThread
