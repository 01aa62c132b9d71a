// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes read with a stride of as many elements as there are banks.
// OPTIONS: check=all,bank:device=h100
// EXPECT-EXIT: 0
#include <Kokkos_Core.hpp>

#include <teamsan/model/workgroup/atomic.hpp>
#include <teamsan/model/workgroup/barriers.hpp>
#include <teamsan/model/workgroup/workgroup_variables.hpp>

using Layout = teamsan::workgroup_layout<teamsan::variable<"rows", float[32][32]>>;

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<float**, Kokkos::LayoutRight> in("in", 32, 32), out("out", 32, 32);
  Policy policy(1, 32);
  policy.set_scratch_size(0, Kokkos::PerTeam(Layout::scratch_bytes));
  Kokkos::parallel_for(
      "transpose", policy, KOKKOS_LAMBDA(Member const& member) {
        auto const variables = teamsan::workgroup_variables<Layout>(member, teamsan::uninitialized);
        auto& rows = variables.get<"rows">();
        int const x = member.team_rank();
        for (int y = 0; y < 32; ++y) rows[y][x] = in(y, x);
        teamsan::workgroup_barrier(member);
        for (int y = 0; y < 32; ++y) out(y, x) = rows[x][y];  // EXPECT: bank-conflict
      });
}
