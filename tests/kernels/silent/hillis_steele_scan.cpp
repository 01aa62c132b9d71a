// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// An inclusive scan by doubling distances, with two buffers that change roles: one barrier a step.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Buffers = Kokkos::View<int**, Kokkos::LayoutRight, Policy::execution_space::scratch_memory_space,
                             Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 64, league = 3;
  Kokkos::View<int**> x("x", league, team_size);
  Kokkos::deep_copy(x, 1);
  auto policy =
      Policy(league, team_size).set_scratch_size(0, Kokkos::PerTeam(Buffers::shmem_size(2, team_size)));
  Kokkos::parallel_for(
      "scan", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Buffers buffers(team.team_scratch(0), 2, team_size);
        int const t = team.team_rank(), l = team.league_rank();
        int from = 0;
        buffers(from, t) = x(l, t);
        team.team_barrier();
        for (int distance = 1; distance < team_size; distance *= 2) {
          int const left = t >= distance ? buffers(from, t - distance) : 0;
          buffers(1 - from, t) = buffers(from, t) + left;
          from = 1 - from;
          team.team_barrier();
        }
        x(l, t) = buffers(from, t);
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), x);
  for (int t = 0; t < team_size; ++t) {
    if (host(2, t) != t + 1) return 1;
  }
}
