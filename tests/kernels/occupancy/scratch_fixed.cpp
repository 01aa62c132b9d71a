// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// scratch.cpp with its block in level 1, which is device memory.
// OPTIONS: check=all,occupancy:device=h100
// EXPECT-NONE
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Scratch = Kokkos::View<float*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  constexpr int team_size = 128, words = 24 * 1024, league = 256;
  Kokkos::View<float*> out("out", league);
  Policy policy(league, team_size);
  policy.set_scratch_size(1, Kokkos::PerTeam(Scratch::shmem_size(words)));
  Kokkos::parallel_for(
      "sum", policy, KOKKOS_LAMBDA(Member const& team) {
        Scratch part(team.team_scratch(1), words);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, team_size), [&](int i) { part(i) = i; });
        team.team_barrier();
        Kokkos::single(Kokkos::PerTeam(team), [&] { out(team.league_rank()) = part(0) + part(team_size - 1); });
      });
}
