// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// All threads make the same calls in the same order.
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
        team.team_barrier();
        team.team_broadcast(value, 0);
        y(t) = value;
      });
  Kokkos::fence();
}
