// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two lanes each wait for the other's flag before they set their own.
// OPTIONS: spin_limit=100000000
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> ready("ready", 2);
  Kokkos::parallel_for(
      "handshake", Policy(1, 2), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const t = team.team_rank();
        while (Kokkos::atomic_load(&ready(1 - t)) == 0) {  // EXPECT: deadlock
        }
        Kokkos::atomic_store(&ready(t), 1);
      });
  Kokkos::fence();
}
