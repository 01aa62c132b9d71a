// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread publishes a value and reads its neighbour's after team_reduce: CUDA has a barrier inside it, Kokkos
// documents none.
// OPTIONS: sync=portable
// EXPECT-OUTPUT: found by --sync portable alone
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Row = Kokkos::View<int*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 16, vector_length = 1, league = 2;
  Kokkos::View<int***> out("out", league, team_size, vector_length);
  auto policy = Policy(league, team_size, vector_length)
                    .set_scratch_size(0, Kokkos::PerTeam(Row::shmem_size(team_size * vector_length)));
  Kokkos::parallel_for(
      "relies_on_team_reduce", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Row row(team.team_scratch(0), team_size * vector_length);
        int const t = team.team_rank(), l = team.league_rank();
        row(t) = t;  // EXPECT: scratch-race
        int value = t;
        team.team_reduce(Kokkos::Max<int>(value));
        out(l, t, 0) = row((t + 1) % team_size) + value;  // EXPECT: scratch-race
      });
  Kokkos::fence();
}
