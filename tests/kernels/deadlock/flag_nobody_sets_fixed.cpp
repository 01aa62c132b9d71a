// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A lane spins on a flag that another lane of the team sets later.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Flag = Kokkos::View<int, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int> y("y");
  auto policy = Policy(1, 8).set_scratch_size(0, Kokkos::PerTeam(Flag::shmem_size()));
  Kokkos::parallel_for(
      "spin", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Flag flag(team.team_scratch(0));
        if (team.team_rank() == 0) flag() = 0;
        team.team_barrier();
        if (team.team_rank() == 0) {
          while (Kokkos::atomic_load(&flag()) != 7) {
          }
          y() = 1;
        }
        if (team.team_rank() == 5) Kokkos::atomic_store(&flag(), 7);
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  return host() == 1 ? 0 : 1;
}
