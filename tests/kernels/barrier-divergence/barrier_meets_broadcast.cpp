// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Some threads wait at a barrier while the others wait in a broadcast.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 16;
  Kokkos::View<int*> y("y", team_size);
  Kokkos::parallel_for(
      "mixed", Policy(1, team_size), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const t = team.team_rank();
        int value = t + 1;
        if (t < 4) {
          team.team_barrier();  // EXPECT: barrier-divergence
        } else {
          team.team_broadcast(value, 0);  // EXPECT: barrier-divergence
        }
        y(t) = value;
      });
  Kokkos::fence();
}
