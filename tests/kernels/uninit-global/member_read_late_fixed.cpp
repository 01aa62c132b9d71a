// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The pressure is computed, too.
#include <Kokkos_Core.hpp>

struct State {
  double volume, pressure;
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 2560;
  Kokkos::View<State*> cells(Kokkos::view_alloc("cells", Kokkos::WithoutInitializing), n);
  Kokkos::View<double*> work("work", n);
  Kokkos::parallel_for(
      "volumes", n, KOKKOS_LAMBDA(int i) { cells(i) = {1. / (i + 1), 1.0 + i}; });
  Kokkos::parallel_for(
      "work", n, KOKKOS_LAMBDA(int i) {
        double const volume = cells(i).volume;
        work(i) = i < 2304 ? volume
                           : volume * cells(i).pressure;
      });
  Kokkos::fence();
}
