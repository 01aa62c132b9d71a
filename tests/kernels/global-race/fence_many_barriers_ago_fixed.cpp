// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Team 0 hands a value to team 1 after so many barriers that its stamps are numbered anew in between.
// EXPECT-NONE
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int> data("data"), ready("ready"), result("result");
  Kokkos::parallel_for(
      "hand on", Policy(2, 1), KOKKOS_LAMBDA(Policy::member_type const& team) {
        if (team.league_rank() == 1) {
          while (Kokkos::atomic_load(&ready()) == 0) {
          }
          Kokkos::memory_fence();
          result() = data();
          return;
        }
        for (int i = 0; i != 100000; ++i) team.team_barrier();
        Kokkos::memory_fence();
        for (int i = 0; i != 50000; ++i) team.team_barrier();
        data() = 1;
        Kokkos::memory_fence();
        Kokkos::atomic_store(&ready(), 1);
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), result);
  return host() == 1 ? 0 : 1;
}
