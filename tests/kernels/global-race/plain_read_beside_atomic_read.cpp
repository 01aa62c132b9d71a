// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two teams read a flag, one of them by a plain load; a third sets it. The atomic reader comes first.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  Kokkos::View<int*> flag("flag", 1), seen("seen", 3);
  using Policy = Kokkos::TeamPolicy<>;
  Kokkos::parallel_for(
      "set_flag", Policy(3, 1), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const rank = team.league_rank();
        if (rank == 0) seen(0) = Kokkos::atomic_load(&flag(0));
        if (rank == 1) seen(1) = flag(0);                  // EXPECT: global-race
        if (rank == 2) Kokkos::atomic_store(&flag(0), 1);  // EXPECT: global-race
      });
  Kokkos::fence();
}
