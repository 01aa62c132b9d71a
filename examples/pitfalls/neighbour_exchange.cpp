// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread puts its cell into the team's scratch and takes its right neighbour's out of it.
// The bug: no barrier between the two, so a neighbour's cell may not be there yet.
#include <Kokkos_Core.hpp>

#include <cstdio>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Scratch = Policy::execution_space::scratch_memory_space;
using Tile = Kokkos::View<double*, Scratch, Kokkos::MemoryUnmanaged>;

constexpr int teams = 16, threads = 128, cells = teams * threads;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<double*> in("in", cells), out("out", cells);
  Kokkos::parallel_for(
      "fill", cells, KOKKOS_LAMBDA(int cell) { in(cell) = cell; });

  Policy policy(teams, threads);
  policy.set_scratch_size(0, Kokkos::PerTeam(Tile::shmem_size(threads)));
  Kokkos::parallel_for(
      "exchange", policy, KOKKOS_LAMBDA(Member const& team) {
        Tile tile(team.team_scratch(0), threads);
        int const i = team.team_rank();
        int const cell = team.league_rank() * threads + i;
        tile(i) = in(cell);                   // EXPECT: scratch-race
        out(cell) = tile((i + 1) % threads);  // EXPECT: scratch-race
      });

  auto const result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  int wrong = 0;
  for (int cell = 0; cell < cells; ++cell) {
    int const first = cell / threads * threads;
    wrong += result(cell) != first + (cell - first + 1) % threads;
  }
  std::printf("neighbour exchange: %d of %d cells are wrong\n", wrong, cells);
  return wrong != 0;
}
