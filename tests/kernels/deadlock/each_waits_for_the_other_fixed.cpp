// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Each lane sets its own flag before it waits for the other's.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> ready("ready", 2);
  Kokkos::parallel_for(
      "handshake", Policy(1, 2), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const t = team.team_rank();
        Kokkos::atomic_store(&ready(t), 1);
        while (Kokkos::atomic_load(&ready(1 - t)) == 0) {
        }
      });
  Kokkos::fence();
}
