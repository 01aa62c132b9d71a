// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A barrier stands between writing and reading.
#include <Kokkos_Core.hpp>

#include <teamsan/model/workgroup/launch_sized_scratch.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 64;
  Kokkos::View<float**> out("out", 4, team_size);
  Policy policy(4, team_size);
  teamsan::set_launch_sized_scratch(policy, team_size * sizeof(float));
  Kokkos::parallel_for(
      "reverse", policy, KOKKOS_LAMBDA(Member const& member) {
        int const t = member.team_rank();
        float* const tile = teamsan::launch_sized_scratch<float>(member);
        tile[t] = t;
        member.team_barrier();
        out(member.league_rank(), t) = tile[team_size - 1 - t];
      });
}
