// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launch-sized scratch in a launch that was given no size: there is nothing to write to.
// EXPECT-OUTPUT: the launch reserved no scratch of level 0
#include <Kokkos_Core.hpp>

#include <teamsan/model/workgroup/launch_sized_scratch.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  constexpr int threads = 64;
  Kokkos::View<float*> last("last", 4);
  Kokkos::parallel_for(
      "unreserved", Policy(4, threads), KOKKOS_LAMBDA(Member const& member) {
        float* tile = teamsan::launch_sized_scratch<float>(member);
        if (member.team_rank() == threads - 1) tile[member.league_rank()] = 1;  // EXPECT: out-of-bounds
        if (member.team_rank() == 0) last(member.league_rank()) = 1;
      });
}
