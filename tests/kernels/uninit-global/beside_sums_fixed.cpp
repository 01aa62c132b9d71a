// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// OPTIONS: num_threads=1:team_order=descending
// The array begins with zeros, and the sum is read by an atomic.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Policy = Kokkos::TeamPolicy<>;
  Kokkos::View<int*> sums("sums", 64);
  Kokkos::View<int*> out("out", 16);
  Kokkos::parallel_for(
      "add up", Policy(3, 2), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const own = 2 * team.league_rank() + team.team_rank();
        if (own == 1) out(own) = Kokkos::atomic_load(&sums(0));
        if (own != 1) Kokkos::atomic_add(&sums(0), 1);
        if (own == 2) out(8) = sums(20);
      });
  Kokkos::fence();
}
