// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// One thread waits for another with volatile loads, in scratch and in device memory. It gets there as well in runs that
// do not check its kernel or its team: CMakeLists.txt.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Flag = Kokkos::View<int, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 4, size = 8;
  Kokkos::View<int*> flag("flag", league), data("data", league), result("result", league);
  Kokkos::parallel_for(
      "wait", Policy(league, size).set_scratch_size(0, Kokkos::PerTeam(Flag::shmem_size())),
      KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const i = team.league_rank();
        Flag const near(team.team_scratch(0));
        if (team.team_rank() == 0) near() = 0;
        team.team_barrier();
        if (team.team_rank() == 0) {
          while (Kokkos::volatile_load(&flag(i)) == 0) {
          }
          Kokkos::memory_fence();
          result(i) = data(i);
        } else if (team.team_rank() == 3) {
          while (Kokkos::volatile_load(&near()) == 0) {
          }
          data(i) = 10 + i;
          Kokkos::memory_fence();
          Kokkos::atomic_store(&flag(i), 1);
        } else if (team.team_rank() == size - 1) {
          Kokkos::atomic_store(&near(), 1);
        }
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), result);
  for (int i = 0; i != league; ++i)
    if (host(i) != 10 + i) return 1;
  return 0;
}
