// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row of NaNs has no largest element: the place that the reduction begins with, the largest int, is used as an index.
#include <Kokkos_Core.hpp>

#include <cmath>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Policy = Kokkos::TeamPolicy<>;
  using Row = Kokkos::View<double*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;
  using Largest = Kokkos::MaxLoc<double, int>;
  int const rows = 3, columns = 40;
  Kokkos::View<double**> a("a", rows, columns);
  Kokkos::deep_copy(a, std::nan(""));
  auto policy = Policy(rows, 32).set_scratch_size(0, Kokkos::PerTeam(Row::shmem_size(columns)));
  Kokkos::parallel_for(
      "pivot", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Row row(team.team_scratch(0), columns);
        Kokkos::parallel_for(
            Kokkos::TeamThreadRange(team, columns), [&](int j) { row(j) = a(team.league_rank(), j); });
        team.team_barrier();
        Largest::value_type most;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, columns),
            [&](int j, Largest::value_type& sofar) {
              if (row(j) > sofar.val) sofar = {row(j), j};
            },
            Largest(most));
        Kokkos::single(Kokkos::PerTeam(team), [&] {
          a(team.league_rank(), 0) = row(most.loc);  // EXPECT: out-of-bounds
        });
      });
  Kokkos::fence();
}
// EXPECT-OUTPUT: below\s+the\s+extent\s+of\s+the\s+scratch\s+View\s+Rerun
