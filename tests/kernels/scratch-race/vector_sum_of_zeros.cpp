// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector lanes of a thread add to one sum, which each of them has cleared: they add 0 in this run, and so store 0.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Policy = Kokkos::TeamPolicy<>;
  using Member = Policy::member_type;
  using Sums = Kokkos::View<double*, Kokkos::DefaultExecutionSpace::scratch_memory_space, Kokkos::MemoryUnmanaged>;
  int const threads = 4, columns = 16;
  Kokkos::View<double**> x("x", threads, columns);
  Kokkos::View<double*> y("y", 4);
  Kokkos::parallel_for(
      "sum", Policy(4, threads, 8).set_scratch_size(0, Kokkos::PerTeam(Sums::shmem_size(threads))),
      KOKKOS_LAMBDA(Member const& team) {
        Sums sums(team.team_scratch(0), threads);
        int const row = team.team_rank();
        sums(row) = 0;
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, columns), [&](int column) {
          sums(row) += x(row, column);  // EXPECT: scratch-race
        });
        team.team_barrier();
        Kokkos::single(Kokkos::PerTeam(team), [&] { y(team.league_rank()) = sums(0) + sums(1) + sums(2) + sums(3); });
      });
  Kokkos::fence();
}
