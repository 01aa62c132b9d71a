// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One element more than the launch's size is written; the size has nothing to do with the type.
#include <Kokkos_Core.hpp>

#include <teamsan/model/workgroup/launch_sized_scratch.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 32, n = 100;
  Kokkos::View<double*> sums("sums", team_size);
  Policy policy(1, team_size);
  teamsan::set_launch_sized_scratch(policy, n * sizeof(double));
  Kokkos::parallel_for(
      "fill", policy, KOKKOS_LAMBDA(Member const& member) {
        double* const values = teamsan::launch_sized_scratch<double>(member);
        for (int i = member.team_rank(); i <= n; i += team_size)
          values[i] = i;  // EXPECT: out-of-bounds
        member.team_barrier();
        sums(member.team_rank()) = values[member.team_rank()];
      });
}
