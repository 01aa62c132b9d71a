// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread sums a block of columns and stops at the last one, but the last block may begin behind it. What lies there
// belongs to another View.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const rows = 50, columns = 42, blocks = 16, each = 3;
  Kokkos::View<double*> y("y", 16 * rows);
  Kokkos::View<double**, Kokkos::LayoutLeft> matrix("matrix", rows, columns);
  Kokkos::View<double*> x("x", columns);
  Kokkos::deep_copy(matrix, 1);
  Kokkos::deep_copy(x, 1);
  Kokkos::parallel_for("product", Policy(1, 32 * blocks), KOKKOS_LAMBDA(Member const& team) {
    int const row = team.team_rank() % 32, first = team.team_rank() / 32 * each;
    double sum = 0;
    for (int c = first; c < first + each; ++c) {
      if (c == columns) break;
      double const value = matrix(row, c);  // EXPECT: out-of-bounds
      sum += value;
    }
    y(team.team_rank()) = sum;
  });
  Kokkos::fence();
}
