// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Plain accesses under a lock with fences: release and acquire order them, within a team and between teams.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 16, league = 4;
  Kokkos::View<int> lock("lock"), entered("entered");
  Kokkos::parallel_for(
      "lock", Policy(league, team_size), KOKKOS_LAMBDA(Policy::member_type const&) {
        while (Kokkos::atomic_compare_exchange(&lock(), 0, 1) != 0) {
        }
        Kokkos::memory_fence();
        entered() += 1;
        Kokkos::memory_fence();
        Kokkos::atomic_exchange(&lock(), 0);
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), entered);
  return host() == team_size * league ? 0 : 1;
}
