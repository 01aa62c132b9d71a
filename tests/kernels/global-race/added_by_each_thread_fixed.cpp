// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// What a team has reduced is added to an entry of a View by each of its threads.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

KOKKOS_FUNCTION void add(Member const& team, Kokkos::View<double*> const& total, double sum) {
  Kokkos::single(Kokkos::PerTeam(team), [&] { total(team.league_rank()) += sum; });
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const teams = 8, n = 96;
  Kokkos::View<double**> heat("heat", teams, n);
  Kokkos::View<double*> total("total", teams);
  Kokkos::deep_copy(heat, 2);
  Kokkos::parallel_for("total_heat", Policy(teams, 24), KOKKOS_LAMBDA(Member const& team) {
    double sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, n), [&](int i, double& s) { s += heat(team.league_rank(), i); }, sum);
    add(team, total, sum);
  });
  Kokkos::fence();
}
