// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The team computes x = A w, its lanes each some rows; then one lane permutes x (Kokkos Kernels: SolveUTV).
// Neither the product nor single(PerTeam) waits for the team.
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
          x(s, i) = sum;  // EXPECT: global-race
        });
        Kokkos::single(Kokkos::PerTeam(team), [&] {
          for (int i = 0; i < n / 2; ++i) {
            double const other = x(s, pivots(i));
            x(s, pivots(i)) = x(s, i);             // EXPECT: global-race
            x(s, i) = other;                       // EXPECT: global-race
          }
        });
      });
  Kokkos::fence();
}
