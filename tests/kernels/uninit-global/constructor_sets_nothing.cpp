// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The View is initialised, by a constructor that leaves the members as they were; then a list that grows is copied as a whole,
// the slots that nothing has been put into as well.
#include <Kokkos_Core.hpp>

struct Slot {
  KOKKOS_FUNCTION Slot() {}
  KOKKOS_FUNCTION Slot(int of_cell, int of_particle) : cell(of_cell), particle(of_particle) {}
  int cell, particle;
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 100;
  Kokkos::View<Slot*> slots("slots", n), grown("grown", 2 * n);
  Kokkos::parallel_for(
      "sort in", n / 2, KOKKOS_LAMBDA(int i) { slots(i) = Slot(i / 4, i); });
  Kokkos::parallel_for(
      "grow", n, KOKKOS_LAMBDA(int i) {
        grown(i).particle = slots(i).particle;  // EXPECT: uninit-global
      });
  Kokkos::fence();
}
