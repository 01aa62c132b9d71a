// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// What the rows add up to is added to the total, once a team.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Policy = Kokkos::TeamPolicy<>;
  int const rows = 40, columns = 50;
  Kokkos::View<double**> load("load", rows, columns);
  Kokkos::parallel_for(
      "fill", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {rows, columns}),
      KOKKOS_LAMBDA(int i, int j) { load(i, j) = 1 + (3 * i + j) % 7; });
  double total = 0;
  Kokkos::parallel_reduce(
      "total", Policy(rows, 16),
      KOKKOS_LAMBDA(Policy::member_type const& team, double& sum) {
        int const row = team.league_rank();
        double of_row = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, columns), [&](int j, double& s) { s += load(row, j); }, of_row);
        Kokkos::single(Kokkos::PerTeam(team), [&] {
          sum += of_row;
        });
      },
      total);
  return total <= 0;
}
