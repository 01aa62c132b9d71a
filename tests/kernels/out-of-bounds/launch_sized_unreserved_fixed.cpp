// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// launch_sized_unreserved.cpp with a size given at the launch.
// EXPECT-NONE
#include <Kokkos_Core.hpp>

#include <teamsan/model/workgroup/launch_sized_scratch.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  constexpr int threads = 64;
  Kokkos::View<float*> last("last", 4);
  Policy policy(4, threads);
  teamsan::set_launch_sized_scratch(policy, 4 * sizeof(float));
  Kokkos::parallel_for(
      "reserved", policy, KOKKOS_LAMBDA(Member const& member) {
        float* tile = teamsan::launch_sized_scratch<float>(member);
        if (member.team_rank() == threads - 1) tile[member.league_rank()] = 1;
        if (member.team_rank() == 0) last(member.league_rank()) = 1;
      });
}
