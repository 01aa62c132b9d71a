// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Four ranks with one bug in common and one that rank 2 alone has. The sum over all ranks shows that they were one job.
#include <Kokkos_Core.hpp>

#include <mpi.h>

#include <cstdio>

namespace {

/// Each thread reads its neighbour's element; the barrier between is missing.
double exchange(int rank) {
  using Policy = Kokkos::TeamPolicy<>;
  using Tile = Kokkos::View<double*, Policy::execution_space::scratch_memory_space>;
  Kokkos::View<double*> out("out", 64);
  Kokkos::parallel_for(
      "exchange", Policy(2, 32).set_scratch_size(0, Kokkos::PerTeam(Tile::shmem_size(32))),
      KOKKOS_LAMBDA(Policy::member_type const& team) {
        Tile tile(team.team_scratch(0), 32);
        int const i = team.team_rank();
        tile(i) = rank;
        out(32 * team.league_rank() + i) = tile((i + 1) % 32) + tile(i);
      });
  double sum = 0;
  Kokkos::parallel_reduce(
      "sum", 64, KOKKOS_LAMBDA(int i, double& s) { s += out(i) >= 0 ? 1 : 0; }, sum);
  return sum;
}

/// All threads count in one element without atomics.
void count() {
  Kokkos::View<int> counter("counter");
  Kokkos::parallel_for(
      "count", 64, KOKKOS_LAMBDA(int) { counter() += 1; });
  Kokkos::fence();
}

}  // namespace

int main(int argc, char* argv[]) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double all = 0;
  {
    Kokkos::ScopeGuard kokkos(argc, argv);
    double const mine = exchange(rank);
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 2) count();
  }
  if (rank == 0) std::printf("%d ranks, sum %.0f\n", ranks, all);
  MPI_Finalize();
  return all == 64.0 * ranks ? 0 : 1;
}
