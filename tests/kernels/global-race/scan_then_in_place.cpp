// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lanes of a thread scan a row, each of them reads the last sum, and a second loop of lanes overwrites the row.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const teams = 3, rows = 8, n = 32;
  Kokkos::View<double***> flow("flow", teams, rows, n), sums("sums", teams, rows, n + 1);
  Kokkos::deep_copy(flow, 0.5);
  Kokkos::parallel_for("normalise", Policy(teams, 8, 16), KOKKOS_LAMBDA(Member const& team) {
    int const t = team.league_rank();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rows), [&](int r) {
      Kokkos::parallel_scan(Kokkos::ThreadVectorRange(team, n), [&](int k, double& sum, bool last) {
        if (last) sums(t, r, k) = sum;
        sum += flow(t, r, k);
      });
      double const total = sums(t, r, n - 1) + flow(t, r, n - 1);  // EXPECT: global-race
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, n), [&](int k) {
        sums(t, r, k) /= total;  // EXPECT: global-race
      });
    });
  });
  Kokkos::fence();
}
