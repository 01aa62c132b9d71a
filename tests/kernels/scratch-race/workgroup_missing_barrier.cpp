// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A workgroup variable is written by one lane and read by another, with no barrier between.
#include <Kokkos_Core.hpp>

#include <teamsan/model/workgroup/atomic.hpp>
#include <teamsan/model/workgroup/barriers.hpp>
#include <teamsan/model/workgroup/workgroup_variables.hpp>

using Layout =
    teamsan::workgroup_layout<teamsan::variable<"tile", float[64]>, teamsan::variable<"count", teamsan::atomic<unsigned>>>;

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 64;
  Kokkos::View<float**> out("out", 4, team_size);
  Policy policy(4, team_size);
  policy.set_scratch_size(0, Kokkos::PerTeam(Layout::scratch_bytes));
  Kokkos::parallel_for(
      "neighbours", policy, KOKKOS_LAMBDA(Member const& member) {
        auto const variables = teamsan::workgroup_variables<Layout>(member, teamsan::uninitialized);
        auto& tile = variables.get<"tile">();
        int const t = member.team_rank();
        tile[t] = t;  // EXPECT: scratch-race
        out(member.league_rank(), t) = tile[(t + 1) % team_size];  // EXPECT: scratch-race
      });
}
