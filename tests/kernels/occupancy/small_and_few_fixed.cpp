// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// small_and_few.cpp with teams of a warp, one for each multiprocessor.
// OPTIONS: check=all,occupancy:device=h100
// EXPECT-NONE
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<float*> out("out", 132 * 32);
  Kokkos::parallel_for(
      "many", Policy(132, 32), KOKKOS_LAMBDA(Member const& team) { out(team.league_rank() * 32 + team.team_rank()) = 1; });
}
