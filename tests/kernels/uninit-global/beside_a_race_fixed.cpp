// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// OPTIONS: num_threads=1
// What is read was written by the kernel before.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Policy = Kokkos::TeamPolicy<>;
  Kokkos::View<unsigned short*> halves(Kokkos::view_alloc(Kokkos::WithoutInitializing, "halves"), 64);
  Kokkos::View<int*> out("out", 4);
  Kokkos::parallel_for(
      "first", Kokkos::RangePolicy<>(0, 64), KOKKOS_LAMBDA(int i) { halves(i) = static_cast<unsigned short>(i); });
  Kokkos::parallel_for(
      "exchange", Policy(3, 1), KOKKOS_LAMBDA(Policy::member_type const& team) {
        if (team.league_rank() == 0) {
          halves(1) = 5;
        } else if (team.league_rank() == 1) {
          out(0) = halves(0);
        } else {
          out(1) = halves(2);
          out(2) = halves(20);
        }
      });
  Kokkos::fence();
}
