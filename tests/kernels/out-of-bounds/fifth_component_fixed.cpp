// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A fifth component is read whatever the equation of state; here there are four.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const blocks = 6, components = 4, cells = 32;
  Kokkos::View<double***, Kokkos::LayoutLeft> state("state", blocks, components, cells);
  Kokkos::View<double*> pressure("pressure", blocks * cells);
  Kokkos::deep_copy(state, 1);
  Kokkos::parallel_for("pressure", blocks * cells, KOKKOS_LAMBDA(int i) {
    pressure(i) = 0.4 * state(i / cells, 3, i % cells);
  });
  Kokkos::fence();
}
