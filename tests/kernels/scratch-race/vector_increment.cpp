// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Outside single(PerThread) the increment runs once on every vector lane of the thread.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Counts = Kokkos::View<int*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 8, vector_length = 4, league = 2;
  Kokkos::View<int**> out("out", league, team_size);
  auto policy = Policy(league, team_size, vector_length)
                    .set_scratch_size(0, Kokkos::PerTeam(Counts::shmem_size(team_size)));
  Kokkos::parallel_for(
      "increment", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Counts counts(team.team_scratch(0), team.team_size());
        int const r = team.team_rank();
        Kokkos::single(Kokkos::PerThread(team), [&] { counts(r) = r; });
        team.team_barrier();
        counts(r) += 1;  // EXPECT: scratch-race
        team.team_barrier();
        Kokkos::single(Kokkos::PerThread(team), [&] { out(team.league_rank(), r) = counts(r); });
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  return host(1, 3) == 0;
}
