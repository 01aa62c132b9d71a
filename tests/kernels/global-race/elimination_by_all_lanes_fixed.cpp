// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The same with one lane of its thread for each row, and the factor in a column that it does not store to.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

struct Eliminate {
  static constexpr int n = 6;
  Kokkos::View<double***> matrices;
  KOKKOS_FUNCTION void operator()(Member const& team) const {
    auto const a = Kokkos::subview(matrices, team.league_rank(), Kokkos::ALL, Kokkos::ALL);
    for (int column = 0; column < n - 1; ++column) {
      double const pivot = a(column, column);
      team.team_barrier();
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, column + 1, n), [&](int row) {
        double const factor = a(row, column) / pivot;
        Kokkos::single(Kokkos::PerThread(team), [&] {
          for (int j = column + 1; j < n; ++j) a(row, j) -= factor * a(column, j);
        });
      });
      team.team_barrier();
    }
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Kokkos::View<double***> matrices("matrices", 3, Eliminate::n, Eliminate::n);
  Kokkos::parallel_for(
      "fill", 3 * Eliminate::n, KOKKOS_LAMBDA(int i) {
        for (int j = 0; j < Eliminate::n; ++j)
          matrices(i / Eliminate::n, i % Eliminate::n, j) = 1.0 / (1 + i % Eliminate::n + j);
      });
  Kokkos::parallel_for("eliminate", Policy(3, 4, 32), Eliminate{matrices});
  Kokkos::fence();
}
