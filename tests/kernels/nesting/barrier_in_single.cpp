// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A team barrier inside single(PerTeam): one lane alone waits for the team.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int> y("y");
  Kokkos::parallel_for(
      "single", Policy(1, 16), KOKKOS_LAMBDA(Policy::member_type const& team) {
        Kokkos::single(Kokkos::PerTeam(team), [&] {
          y() = 1;
          team.team_barrier();  // EXPECT: nesting
        });
      });
  Kokkos::fence();
}
