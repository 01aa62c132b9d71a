// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// 15,360 bytes, held against the limit when compiling. (Kokkos keeps a few hundred for itself.)
// OPTIONS: device=webgpu
#include <Kokkos_Core.hpp>

#include <teamsan/model/workgroup/atomic.hpp>
#include <teamsan/model/workgroup/barriers.hpp>
#include <teamsan/model/workgroup/workgroup_variables.hpp>

using Layout = teamsan::workgroup_layout<teamsan::variable<"tile", float[3840]>>;

static_assert(Layout::fits(teamsan::limits::webgpu_minimum));

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 64;
  Kokkos::View<float*> out("out", team_size);
  Policy policy(1, team_size);
  policy.set_scratch_size(0, Kokkos::PerTeam(Layout::scratch_bytes));
  auto const kernel = KOKKOS_LAMBDA(Member const& member) {
    auto const variables = teamsan::workgroup_variables<Layout>(member, teamsan::uninitialized);
    auto& tile = variables.get<"tile">();
    tile[member.team_rank() * 60] = 1;
    out(member.team_rank()) = tile[member.team_rank() * 60];
  };
  Kokkos::parallel_for("tile", policy, kernel);
  Kokkos::fence();
}
