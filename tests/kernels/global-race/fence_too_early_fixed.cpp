// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A chain of teams: each adds to what the one before has written, and fences before it says that it has.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 6;
  Kokkos::View<int*> data("data", league), ready("ready", league), sums("sums", league);
  Kokkos::parallel_for(
      "hand on", Policy(league, 1), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const mine = team.league_rank();
        int sum = 0;
        if (mine > 0) {
          while (Kokkos::atomic_load(&ready(mine - 1)) == 0) {
          }
          Kokkos::memory_fence();
          sum = data(mine - 1);
        }
        data(mine) = sum + mine + 1;
        Kokkos::memory_fence();
        Kokkos::atomic_store(&ready(mine), 1);
        sums(mine) = sum;
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  return host(league - 1) == 15 ? 0 : 1;
}
