// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The header is as long as the alignment of what follows.
#include <Kokkos_Core.hpp>

#include <teamsan/model/workgroup/launch_sized_scratch.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 16;
  Kokkos::View<double*> out("out", team_size);
  Policy policy(1, team_size);
  teamsan::set_launch_sized_scratch(policy, 16 + team_size * sizeof(double));
  Kokkos::parallel_for(
      "unpack", policy, KOKKOS_LAMBDA(Member const& member) {
        // A header of 16 bytes, then the values.
        char* const message = teamsan::launch_sized_scratch<char>(member);
        double* const values = reinterpret_cast<double*>(message + 16);
        values[member.team_rank()] = member.team_rank();
        out(member.team_rank()) = member.league_rank();
      });
}
