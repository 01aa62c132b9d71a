// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// scratch_limit.cpp with the row taken through scratch in tiles of 8 KiB, which every GPU has.
// EXPECT-NONE
#include <Kokkos_Core.hpp>

#include <cstdio>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Scratch = Policy::execution_space::scratch_memory_space;
using Tile = Kokkos::View<double*, Scratch, Kokkos::MemoryUnmanaged>;

constexpr int teams = 4, threads = 64;
constexpr int row_size = 40000, tile_size = 1000;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<double*> sums("sums", teams);

  Policy policy(teams, threads);
  policy.set_scratch_size(0, Kokkos::PerTeam(Tile::shmem_size(tile_size)));
  Kokkos::parallel_for(
      "sum rows", policy, KOKKOS_LAMBDA(Member const& team) {
        Tile tile(team.team_scratch(0), tile_size);
        double sum = 0;
        for (int first = 0; first < row_size; first += tile_size) {
          Kokkos::parallel_for(Kokkos::TeamThreadRange(team, tile_size),
                               [&](int i) { tile(i) = double(first + i) * (team.league_rank() + 1); });
          team.team_barrier();
          double part_sum = 0;
          Kokkos::parallel_reduce(
              Kokkos::TeamThreadRange(team, tile_size), [&](int i, double& part) { part += tile(i); },
              part_sum);
          sum += part_sum;
          team.team_barrier();
        }
        Kokkos::single(Kokkos::PerTeam(team), [&] { sums(team.league_rank()) = sum; });
      });

  auto const result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  int wrong = 0;
  for (int row = 0; row < teams; ++row) wrong += result(row) != 0.5 * row_size * (row_size - 1) * (row + 1);
  std::printf("scratch limit: %d of %d rows are wrong\n", wrong, teams);
  return wrong != 0;
}
