// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All lanes count a ring's index up by an atomic, and the one that comes to its end sets it back by a plain store: the others
// are not waiting for it, and no fence orders the store with their atomics.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const teams = 4, lanes = 64;
  Kokkos::View<int> next("next");
  Kokkos::View<int*> slot("slot", teams * lanes);
  Kokkos::parallel_for("ring", Policy(teams, lanes), KOKKOS_LAMBDA(Member const& team) {
    int const at = Kokkos::atomic_fetch_add(&next(), 1);  // EXPECT: global-race
    if (at == 29) next() = 0;  // EXPECT: global-race
    slot(team.league_rank() * lanes + team.team_rank()) = at;
  });
  Kokkos::fence();
}
