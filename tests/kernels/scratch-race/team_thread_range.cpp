// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TeamThreadRange does not end in a barrier: the second loop distributes other elements to the thread than
// the first.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Work = Kokkos::View<double*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 16, n = 48, league = 2;
  Kokkos::View<double**> out("out", league, n);
  auto policy = Policy(league, team_size).set_scratch_size(0, Kokkos::PerTeam(Work::shmem_size(n)));
  Kokkos::parallel_for(
      "loops", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Work work(team.team_scratch(0), n);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), [&](int i) { work(i) = i; });
        team.team_barrier();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), [&](int i) {
          work(i) *= 2;  // EXPECT: scratch-race
        });
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), [&](int i) {
          out(team.league_rank(), i) = work(n - 1 - i);  // EXPECT: scratch-race
        });
      });
  Kokkos::fence();
}
