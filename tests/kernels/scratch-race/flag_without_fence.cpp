// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A relaxed atomic flag says that the data is there, and no fence on either side makes that true.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Shared = Kokkos::View<int*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 16, league = 3;
  Kokkos::View<int**> y("y", league, team_size);
  auto policy = Policy(league, team_size).set_scratch_size(0, Kokkos::PerTeam(2 * Shared::shmem_size(1)));
  Kokkos::parallel_for(
      "flag", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Shared data(team.team_scratch(0), 1), flag(team.team_scratch(0), 1);
        int const t = team.team_rank();
        if (t == 0) flag(0) = 0;
        team.team_barrier();
        if (t == 0) {
          data(0) = 42;  // EXPECT: scratch-race
          Kokkos::atomic_store(&flag(0), 1);
        } else {
          while (Kokkos::atomic_load(&flag(0)) == 0) {
          }
          y(team.league_rank(), t) = data(0);  // EXPECT: scratch-race
        }
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  return host(2, 15) < 0;
}
