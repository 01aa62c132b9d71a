// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// OPTIONS: sync=portable
// What the lanes of a thread wrote is read by others after a reduction and a barrier.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Row = Kokkos::View<int*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 4, vector_length = 8, league = 2;
  Kokkos::View<int***> out("out", league, team_size, vector_length);
  auto policy = Policy(league, team_size, vector_length)
                    .set_scratch_size(0, Kokkos::PerTeam(Row::shmem_size(team_size * vector_length)));
  Kokkos::parallel_for(
      "relies_on_vector_reduce", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Row row(team.team_scratch(0), team_size * vector_length);
        int const t = team.team_rank(), l = team.league_rank();
        int value = 0;
        Kokkos::parallel_reduce(
            Kokkos::ThreadVectorRange(team, vector_length), [&](int j, int& update) {
              row(t * vector_length + j) = j;
              update += j;
            }, value);
        team.team_barrier();
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, vector_length), [&](int j) {
          out(l, t, j) = row(t * vector_length + vector_length - 1 - j) + value;
        });
      });
  Kokkos::fence();
}
