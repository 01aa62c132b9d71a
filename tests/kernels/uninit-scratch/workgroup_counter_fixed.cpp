// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// zero_initialized was chosen.
#include <Kokkos_Core.hpp>

#include <teamsan/model/workgroup/atomic.hpp>
#include <teamsan/model/workgroup/barriers.hpp>
#include <teamsan/model/workgroup/workgroup_variables.hpp>

using Layout = teamsan::workgroup_layout<teamsan::variable<"count", teamsan::atomic<unsigned>>>;

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 64;
  Kokkos::View<unsigned*> out("out", 4);
  Policy policy(4, team_size);
  policy.set_scratch_size(0, Kokkos::PerTeam(Layout::scratch_bytes));
  Kokkos::parallel_for(
      "count", policy, KOKKOS_LAMBDA(Member const& member) {
        auto const variables = teamsan::workgroup_variables<Layout>(member, teamsan::zero_initialized);
        if (member.team_rank() % 3 == 0) variables.get<"count">().add(1);
        teamsan::workgroup_barrier(member);
        if (member.team_rank() == 0) out(member.league_rank()) = variables.get<"count">().load();
      });
}
