// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of teams draw places of a ring by an atomic, between fences; who comes to its end sets it back by a plain store. No
// fence orders that with the atomics of all others.
// EXPECT-OUTPUT: store\s+by\s+Kokkos::atomic_store\s+at\s+\S+:17
// EXPECT-OUTPUT: make\s+both\s+accesses\s+atomic\s+\(atomic_load,\s+atomic_store.*\);\s+where\s+no\s+other\s+team
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> next("next", 1), place("place", 1024);
  Kokkos::parallel_for("ring", Policy(16, 64), KOKKOS_LAMBDA(Policy::member_type const& team) {
    Kokkos::memory_fence();
    int const at = Kokkos::atomic_fetch_add(&next(0), 1);  // EXPECT: global-race
    Kokkos::memory_fence();
    if (at == 39) next(0) = 0;  // EXPECT: global-race
    place(team.league_rank() * 64 + team.team_rank()) = at;
  });
  Kokkos::fence();
}
