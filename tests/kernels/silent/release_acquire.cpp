// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// std::atomic_ref with release and acquire publishes plain data from one lane to the others.
#include <Kokkos_Core.hpp>

#include <atomic>

using Policy = Kokkos::TeamPolicy<>;
using Shared = Kokkos::View<int*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 16, league = 3;
  Kokkos::View<int**> y("y", league, team_size);
  auto policy = Policy(league, team_size).set_scratch_size(0, Kokkos::PerTeam(2 * Shared::shmem_size(1)));
  Kokkos::parallel_for(
      "publish", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Shared data(team.team_scratch(0), 1), flag(team.team_scratch(0), 1);
        int const t = team.team_rank();
        if (t == 3) flag(0) = 0;
        team.team_barrier();
        std::atomic_ref<int> ready(flag(0));
        if (t == 3) {
          data(0) = 7 + team.league_rank();
          ready.store(1, std::memory_order_release);
        } else {
          while (ready.load(std::memory_order_acquire) == 0) {
          }
          y(team.league_rank(), t) = data(0);
        }
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  return host(2, 15) == 9 && host(0, 0) == 7 ? 0 : 1;
}
