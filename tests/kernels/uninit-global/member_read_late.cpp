// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of each cell the volume is computed, and its pressure is read by itself: in the last of ten blocks of iterations, where what
// lies beside it has been written and read, by other instructions.
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
      "volumes", n, KOKKOS_LAMBDA(int i) { cells(i).volume = 1. / (i + 1); });
  Kokkos::parallel_for(
      "work", n, KOKKOS_LAMBDA(int i) {
        double const volume = cells(i).volume;
        work(i) = i < 2304 ? volume
                           : volume * cells(i).pressure;  // EXPECT: uninit-global
      });
  Kokkos::fence();
}
