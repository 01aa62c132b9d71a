// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A loop of which every thread makes the same number of rounds.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 16, n = 20;
  Kokkos::View<int*> y("y", n);
  Kokkos::parallel_for(
      "uneven", Policy(1, team_size), KOKKOS_LAMBDA(Policy::member_type const& team) {
        for (int i = team.team_rank(); i < 2 * team_size; i += team_size) {
          if (i < n) y(i) = i;
          team.team_barrier();
        }
      });
  Kokkos::fence();
}
