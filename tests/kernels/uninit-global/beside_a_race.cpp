// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: num_threads=1
// A team reads what another one has stored: a race, and nobody's unseen store. What nobody has written in that array is told
// all the same.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Policy = Kokkos::TeamPolicy<>;
  Kokkos::View<unsigned short*> halves(Kokkos::view_alloc(Kokkos::WithoutInitializing, "halves"), 64);
  Kokkos::View<int*> out("out", 4);
  Kokkos::parallel_for(
      "first", Kokkos::RangePolicy<>(0, 1), KOKKOS_LAMBDA(int) { halves(0) = 3; });
  Kokkos::parallel_for(
      "exchange", Policy(3, 1), KOKKOS_LAMBDA(Policy::member_type const& team) {
        if (team.league_rank() == 0) {
          halves(1) = 5;  // EXPECT: global-race
        } else if (team.league_rank() == 1) {
          out(0) = halves(0);
        } else {
          out(1) = halves(1);   // EXPECT: global-race
          out(2) = halves(20);  // EXPECT: uninit-global
        }
      });
  Kokkos::fence();
}
