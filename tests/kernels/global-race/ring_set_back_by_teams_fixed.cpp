// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> next("next", 1), place("place", 1024);
  Kokkos::parallel_for("ring", Policy(16, 64), KOKKOS_LAMBDA(Policy::member_type const& team) {
    Kokkos::memory_fence();
    int const at = Kokkos::atomic_fetch_add(&next(0), 1);
    Kokkos::memory_fence();
    if (at == 39) Kokkos::atomic_store(&next(0), 0);
    place(team.league_rank() * 64 + team.team_rank()) = at;
  });
  Kokkos::fence();
}
