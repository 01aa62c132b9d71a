// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int> flag("flag"), data("data"), seen("seen");
  Kokkos::parallel_for(
      "publish", Policy(2, 1), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int volatile* const ready = &flag();
        if (team.league_rank() == 1) {
          data() = 7;
          Kokkos::memory_fence();
          *ready = 1;
        } else {
          while (*ready == 0) {
          }
          Kokkos::memory_fence();
          seen() = data();  // EXPECT-NONE
        }
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), seen);
  return host() != 7;
}
