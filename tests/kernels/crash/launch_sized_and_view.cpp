// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A View in scratch of level 0 lies over the launch-sized memory, on a GPU: all of level 0 is sized at the launch.
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
  teamsan::set_launch_sized_scratch(policy, team_size * sizeof(int));
  policy.set_scratch_size(1, Kokkos::PerTeam(Ints::shmem_size(team_size)));
  Kokkos::parallel_for(
      "two kinds", policy, KOKKOS_LAMBDA(Member const& member) {
        int const t = member.team_rank();
        int* const values = teamsan::launch_sized_scratch<int>(member);
        Ints const table(member.team_scratch(0), team_size);  // EXPECT: crash
        values[t] = t;
        table(t) = 1;
        out(t) = values[t] + table(t);
      });
}
