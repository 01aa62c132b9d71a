// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The rows are the teams of one kernel; its columns are a nested range.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const rows = 3, columns = 4;
  Kokkos::View<double**> a("a", rows, columns);
  Kokkos::View<double*> sums("sums", rows);
  Kokkos::parallel_for(
      "rows", Policy(rows, Kokkos::AUTO), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const i = team.league_rank();
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, columns), [&](int j) { a(i, j) = i + j; });
        team.team_barrier();
        double sum = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamVectorRange(team, columns), [&](int j, double& s) { s += a(i, j); }, sum);
        Kokkos::single(Kokkos::PerTeam(team), [&] { sums(i) = sum; });
      });
  // The next kernel runs as usual.
  double total = 0;
  Kokkos::parallel_reduce(
      "total", rows, KOKKOS_LAMBDA(int i, double& s) { s += sums(i); }, total);
  return total != 30;
}
