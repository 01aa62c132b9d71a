// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forces and energies of a half list: the neighbour's force is added by an atomic, both energies by plain sums on two lines.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const atoms = 600, neighbours = 3;
  Kokkos::View<double*> force("force", atoms + neighbours), energy("energy", atoms + neighbours);
  Kokkos::parallel_for("pair", atoms, KOKKOS_LAMBDA(int i) {
    for (int j = i + 1; j <= i + neighbours; ++j) {
      Kokkos::atomic_add(&force(j), 1.0);
      if (j != i + 1) continue;
      energy(j) += 0.5;  // EXPECT: global-race
    }
    energy(i) += 1.5;  // EXPECT: global-race
  });
  Kokkos::fence();
}
