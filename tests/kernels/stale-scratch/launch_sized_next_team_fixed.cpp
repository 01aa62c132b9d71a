// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Each team asks for its own.
#include <Kokkos_Core.hpp>

#include <teamsan/model/workgroup/launch_sized_scratch.hpp>

#include <cstdint>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 16;
  Kokkos::View<int**> y("y", 2, team_size);
  Policy policy(2, team_size);
  teamsan::set_launch_sized_scratch(policy, team_size * sizeof(int));
  Kokkos::parallel_for(
      "hand over", policy, KOKKOS_LAMBDA(Member const& member) {
        int const t = member.team_rank(), l = member.league_rank();
        int* const row = teamsan::launch_sized_scratch<int>(member);
        row[t] = t;
        member.team_barrier();
        y(l, t) = row[t];
      });
  Kokkos::fence();
}
