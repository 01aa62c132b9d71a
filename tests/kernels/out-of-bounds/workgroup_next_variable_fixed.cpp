// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The index stays inside.
#include <Kokkos_Core.hpp>

#include <teamsan/model/workgroup/atomic.hpp>
#include <teamsan/model/workgroup/barriers.hpp>
#include <teamsan/model/workgroup/workgroup_variables.hpp>

using Layout = teamsan::workgroup_layout<teamsan::variable<"first", int[32]>, teamsan::variable<"second", int[32]>>;

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 32;
  Kokkos::View<int*> out("out", team_size);
  Policy policy(1, team_size);
  policy.set_scratch_size(0, Kokkos::PerTeam(Layout::scratch_bytes));
  Kokkos::parallel_for(
      "shift", policy, KOKKOS_LAMBDA(Member const& member) {
        auto const variables = teamsan::workgroup_variables<Layout>(member, teamsan::zero_initialized);
        int const t = member.team_rank();
        variables.get<"first">()[t] = t;
        teamsan::workgroup_barrier(member);
        auto* const first = variables.get<"first">();
        out(t) = first[(t + 1) % team_size];
      });
}
