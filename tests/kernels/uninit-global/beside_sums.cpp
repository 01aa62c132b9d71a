// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: num_threads=1:team_order=descending
// A team reads a sum that others add to: a race, and nobody's unseen store, whichever team ran first. What nobody has written
// in that array is told all the same.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Policy = Kokkos::TeamPolicy<>;
  Kokkos::View<int*> sums(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sums"), 64);
  Kokkos::View<int*> out("out", 16);
  Kokkos::parallel_for(
      "add up", Policy(3, 2), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const own = 2 * team.league_rank() + team.team_rank();
        if (own == 1) out(own) = sums(0);               // EXPECT: global-race
        if (own != 1) Kokkos::atomic_add(&sums(0), 1);  // EXPECT: global-race
        if (own == 2) out(8) = sums(20);                // EXPECT: uninit-global
      });
  Kokkos::fence();
}
