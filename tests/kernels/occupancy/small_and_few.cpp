// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 16 teams of 8 lanes: too few for the device, and each too small for a warp. One finding says both.
// OPTIONS: check=all,occupancy:device=h100
// EXPECT-EXIT: 0
// EXPECT-OUTPUT: 16 teams for 132 multiprocessors, teams of 8 lanes in warps of 32
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<float*> out("out", 128);
  Kokkos::parallel_for(  // EXPECT: occupancy
      "few", Policy(16, 8), KOKKOS_LAMBDA(Member const& team) { out(team.league_rank() * 8 + team.team_rank()) = 1; });
}
