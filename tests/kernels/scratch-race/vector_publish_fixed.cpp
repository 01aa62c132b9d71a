// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The vector lanes of a thread fill a row; a team barrier comes before the next thread reads it.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Rows = Kokkos::View<int**, Kokkos::LayoutRight, Policy::execution_space::scratch_memory_space,
                          Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 16, vector_length = 8, league = 2;
  Kokkos::View<int***> out("out", league, team_size, vector_length);
  auto policy = Policy(league, team_size, vector_length)
                    .set_scratch_size(0, Kokkos::PerTeam(Rows::shmem_size(team_size, vector_length)));
  Kokkos::parallel_for(
      "rows", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Rows rows(team.team_scratch(0), team_size, vector_length);
        int const t = team.team_rank(), l = team.league_rank();
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, vector_length),
                             [&](int j) { rows(t, j) = t * j; });
        team.team_barrier();
        if (t > 0) {
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, vector_length),
                               [&](int j) { out(l, t, j) = rows(t - 1, j); });
        }
      });
  Kokkos::fence();
}
