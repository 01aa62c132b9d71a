// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock that its first owner does not release on one path.
// OPTIONS: spin_limit=100000000
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int> lock("lock"), entered("entered");
  Kokkos::parallel_for(
      "lock", Policy(1, 8), KOKKOS_LAMBDA(Policy::member_type const& team) {
        while (Kokkos::atomic_compare_exchange(&lock(), 0, 1) != 0) {  // EXPECT: deadlock
        }
        if (team.team_rank() == 2) return;
        Kokkos::atomic_inc(&entered());
        Kokkos::atomic_exchange(&lock(), 0);
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), entered);
  return host() < 0;
}
