// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Both levels of scratch in use at once, the large one at level 1, several Views from each.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Space = Policy::execution_space::scratch_memory_space;
using Large = Kokkos::View<double*, Space, Kokkos::MemoryUnmanaged>;
using Small = Kokkos::View<char*, Space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 32, league = 9, n = 3000;
  Kokkos::View<double*> y("y", league);
  auto policy = Policy(league, team_size)
                    .set_scratch_size(0, Kokkos::PerTeam(Small::shmem_size(team_size) + Large::shmem_size(8)))
                    .set_scratch_size(1, Kokkos::PerTeam(2 * Large::shmem_size(n)));
  Kokkos::parallel_for(
      "levels", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Small marks(team.team_scratch(0), team_size);
        Large weights(team.team_scratch(0), 8);
        Large work(team.team_scratch(1), n), copy(team.team_scratch(1), n);
        int const t = team.team_rank();
        marks(t) = 1;
        if (t < 8) weights(t) = t;
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), [&](int i) { work(i) = i; });
        team.team_barrier();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n),
                             [&](int i) { copy(n - 1 - i) = work(i) * weights(i % 8); });
        team.team_barrier();
        double sum = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, n),
            [&](int i, double& update) { update += copy(i) - marks(i % team_size); }, sum);
        if (t == 0) y(team.league_rank()) = sum;
      });
  double expected = -n;
  for (int i = 0; i < n; ++i) expected += 1.0 * i * (i % 8);
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  return host(0) == expected && host(8) == expected ? 0 : 1;
}
