// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A fence between the store and the flag, after 70,000 barriers.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int> data("data"), flag("flag"), seen("seen");
  Kokkos::parallel_for(
      "publish", Policy(2, 2), KOKKOS_LAMBDA(Policy::member_type const& team) {
        bool const first = team.team_rank() == 0;
        if (team.league_rank() == 0) {
          for (int i = 0; i != 70000; ++i) team.team_barrier();
          for (int i = 0; i != 200; ++i) team.team_barrier();
          if (first) {
            data() = 7;
            Kokkos::memory_fence();
            Kokkos::atomic_store(&flag(), 1);
          }
        } else if (first) {
          while (Kokkos::atomic_load(&flag()) == 0) {
          }
          Kokkos::memory_fence();
          seen() = data();
        }
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), seen);
  return host() < 0;
}
