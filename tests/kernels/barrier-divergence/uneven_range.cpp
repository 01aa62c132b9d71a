// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A barrier in a TeamThreadRange that gives some threads one iteration more than others.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 16, n = 20;
  Kokkos::View<int*> y("y", n);
  Kokkos::parallel_for(
      "uneven", Policy(1, team_size), KOKKOS_LAMBDA(Policy::member_type const& team) {
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), [&](int i) {
          y(i) = i;
          team.team_barrier();  // EXPECT: barrier-divergence
        });
      });
  Kokkos::fence();
}
