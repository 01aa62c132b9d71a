// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The constructor sets both members.
#include <Kokkos_Core.hpp>

struct Slot {
  KOKKOS_FUNCTION Slot() : cell(-1), particle(-1) {}
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
      "grow", n, KOKKOS_LAMBDA(int i) { grown(i).particle = slots(i).particle; });
  Kokkos::fence();
}
