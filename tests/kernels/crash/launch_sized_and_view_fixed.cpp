// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The View lies in launch-sized memory as well.
#include <Kokkos_Core.hpp>

#include <teamsan/model/workgroup/launch_sized_scratch.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 32;
  Kokkos::View<int*> out("out", team_size);
  Policy policy(1, team_size);
  using Ints = Kokkos::View<int*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;
  teamsan::set_launch_sized_scratch(policy, 2 * team_size * sizeof(int));
  Kokkos::parallel_for(
      "two kinds", policy, KOKKOS_LAMBDA(Member const& member) {
        int const t = member.team_rank();
        int* const values = teamsan::launch_sized_scratch<int>(member);
        Ints const table(values + team_size, team_size);
        values[t] = t;
        table(t) = 1;
        out(t) = values[t] + table(t);
      });
}
