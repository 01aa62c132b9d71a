// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: num_threads=2
// The launch reserves less than the layout needs: a small variable still fits where a large one before it does not.
#include <Kokkos_Core.hpp>

#include <teamsan/model/workgroup/atomic.hpp>
#include <teamsan/model/workgroup/workgroup_variables.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Layout = teamsan::workgroup_layout<teamsan::variable<"tile", double[32]>,
                                         teamsan::variable<"count", teamsan::atomic<int>>>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Policy policy(64, 32);
  policy.set_scratch_size(0, Kokkos::PerTeam(64));
  Kokkos::parallel_for(
      "count", policy, KOKKOS_LAMBDA(Member const& member) {
        auto const variables = teamsan::workgroup_variables<Layout>(member, teamsan::zero_initialized);  // EXPECT: crash
        variables.get<"tile">()[member.team_rank()] = 1;
        variables.get<"count">().add(1);
      });
  Kokkos::fence();
}
