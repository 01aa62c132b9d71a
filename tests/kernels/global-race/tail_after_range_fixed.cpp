// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A team range stores a column, and each thread then sets the last entry to another value: nothing orders the two stores.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const columns = 4, levels = 33;
  Kokkos::View<double**> height("height", columns, levels);
  Kokkos::parallel_for("heights", Policy(columns, 64), KOKKOS_LAMBDA(Member const& team) {
    int const c = team.league_rank();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, levels), [&](int k) {
      height(c, k) = 1 + k;
    });
    team.team_barrier();
    Kokkos::single(Kokkos::PerTeam(team), [&] { height(c, levels - 1) = 0; });
  });
  Kokkos::fence();
}
