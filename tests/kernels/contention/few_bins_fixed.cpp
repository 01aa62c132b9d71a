// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// few_bins.cpp with bins for each lane of a warp in scratch, added up once at the team's end.
// OPTIONS: check=all,contention:device=h100
// EXPECT-NONE
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Scratch = Kokkos::View<int**, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  constexpr int league = 16, team_size = 128, bins = 4, copies = 32;
  Kokkos::View<int*> hist("hist", bins);
  Policy policy(league, team_size);
  policy.set_scratch_size(0, Kokkos::PerTeam(Scratch::shmem_size(bins, copies)));
  Kokkos::parallel_for(
      "histogram", policy, KOKKOS_LAMBDA(Member const& team) {
        Scratch mine(team.team_scratch(0), bins, copies);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, bins * copies), [&](int i) { mine(i / copies, i % copies) = 0; });
        team.team_barrier();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, team_size),
                             [&](int i) { Kokkos::atomic_inc(&mine(i % bins, i % copies)); });
        team.team_barrier();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, bins), [&](int bin) {
          int sum = 0;
          for (int copy = 0; copy < copies; ++copy) sum += mine(bin, copy);
          Kokkos::atomic_add(&hist(bin), sum);
        });
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), hist);
  return host(0) == league * team_size / bins ? 0 : 1;
}
