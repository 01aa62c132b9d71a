// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the machine model counts: gathers, columns of a tile, atomics, and lanes that go different ways, in teams that
// take different times.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Scratch = Policy::execution_space::scratch_memory_space;
using Tile = Kokkos::View<float[32][32], Kokkos::LayoutRight, Scratch, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64 * 1024;
  Kokkos::View<float*> from("from", n), to("to", n);
  Kokkos::View<int*> bins("bins", 1000);
  Policy policy(64, 32, 4);
  policy.set_scratch_size(0, Kokkos::PerTeam(Tile::shmem_size()));
  Kokkos::parallel_for(
      "gather", policy, KOKKOS_LAMBDA(Member const& team) {
        Tile tile(team.team_scratch(0));
        int const first = team.league_rank() * 1024;
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, 1024), [&](int i) {
          tile(i / 32, i % 32) = from((first + i) * 7919 % n);
        });
        team.team_barrier();
        for (int round = 0; round <= team.league_rank() % 5; ++round)
          Kokkos::parallel_for(Kokkos::TeamVectorRange(team, 1024), [&](int i) {
            if (i % 128 != 7 || round > 2) to(first + i) = tile(i % 32, i / 32);
          });
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, 100 + team.league_rank()),
                             [&](int i) { Kokkos::atomic_inc(&bins(i * i % 1000)); });
      });
}
