// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The largest team that a block can have.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 1024;
  Kokkos::View<int*> y("y", team_size);
  auto const kernel = KOKKOS_LAMBDA(Policy::member_type const& team) { y(team.team_rank()) = 1; };
  Kokkos::parallel_for("fill", Policy(1, team_size), kernel);
  Kokkos::fence();
}
