// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The loop is spread over the vector lanes too.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Bins = Kokkos::View<int*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64, league = 2;
  Kokkos::View<int**> out("out", league, 4);
  auto policy = Policy(league, 4, 16).set_scratch_size(0, Kokkos::PerTeam(Bins::shmem_size(4)));
  Kokkos::parallel_for(
      "histogram", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Bins bins(team.team_scratch(0), 4);
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, 4), [&](int i) { bins(i) = 0; });
        team.team_barrier();
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, n), [&](int i) { Kokkos::atomic_inc(&bins(i % 4)); });
        team.team_barrier();
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, 4), [&](int i) { out(team.league_rank(), i) = bins(i); });
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  return host(1, 3) == n / 4 ? 0 : 1;
}
