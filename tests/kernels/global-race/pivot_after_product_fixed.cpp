// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The team meets between the product and the permutation.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const systems = 4, n = 32;
  Kokkos::View<double***> a("a", systems, n, n);
  Kokkos::View<double**> w("w", systems, n), x("x", systems, n);
  Kokkos::View<int*> pivots("pivots", n);
  Kokkos::deep_copy(w, 1);
  Kokkos::parallel_for("fill", n, KOKKOS_LAMBDA(int i) {
    pivots(i) = n - 1 - i;
    for (int s = 0; s < systems; ++s) a(s, i, i) = i + 1;
  });
  Kokkos::parallel_for(
      "solve", Policy(systems, 8, 4), KOKKOS_LAMBDA(Member const& team) {
        int const s = team.league_rank();
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, n), [&](int i) {
          double sum = 0;
          for (int j = 0; j < n; ++j) sum += a(s, i, j) * w(s, j);
          x(s, i) = sum;
        });
        team.team_barrier();
        Kokkos::single(Kokkos::PerTeam(team), [&] {
          for (int i = 0; i < n / 2; ++i) {
            double const other = x(s, pivots(i));
            x(s, pivots(i)) = x(s, i);
            x(s, i) = other;
          }
        });
      });
  Kokkos::fence();
}
