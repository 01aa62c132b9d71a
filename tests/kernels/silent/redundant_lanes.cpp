// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// EXPECT-OUTPUT: note: 504 redundant stores by vector lanes of one thread, at 3\s+instructions
// What stands outside vector loops runs on every vector lane of a thread: the same value to the same place.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Row = Kokkos::View<int*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 8, vector_length = 8, league = 3;
  Kokkos::View<int**> out("out", league, team_size), sums("sums", league, team_size);
  auto policy = Policy(league, team_size, vector_length)
                    .set_scratch_size(0, Kokkos::PerTeam(Row::shmem_size(team_size)));
  Kokkos::parallel_for(
      "redundant", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Row row(team.team_scratch(0), team_size);
        int const t = team.team_rank(), l = team.league_rank();
        row(t) = 100 * l + t;
        out(l, t) = row(t);
        team.team_barrier();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, team_size), [&](int i) {
          int sum = 0;
          Kokkos::parallel_reduce(
              Kokkos::ThreadVectorRange(team, team_size), [&](int j, int& update) { update += row(j); }, sum);
          sums(l, i) = sum + out(l, i);
        });
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  return host(2, 7) == 8 * 200 + 28 + 207 ? 0 : 1;
}
