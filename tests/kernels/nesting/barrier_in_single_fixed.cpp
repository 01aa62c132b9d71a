// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The team barrier stands after single(PerTeam).
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int> y("y");
  Kokkos::parallel_for(
      "single", Policy(1, 16), KOKKOS_LAMBDA(Policy::member_type const& team) {
        Kokkos::single(Kokkos::PerTeam(team), [&] { y() = 1; });
        team.team_barrier();
      });
  Kokkos::fence();
}
