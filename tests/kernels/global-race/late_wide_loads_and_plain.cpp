// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A struct of 24 bytes is loaded and exchanged by Kokkos' atomics, under a lock, in later blocks. One iteration looks at a part
// of it without.
#include <Kokkos_Core.hpp>

struct State {
  double energy, pressure, age;
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 2048;
  Kokkos::View<State> state("state");
  Kokkos::View<double*> seen("seen", n);
  Kokkos::parallel_for(
      "state", n, KOKKOS_LAMBDA(int i) {
        seen(i) = 0;
        if (i < 300 || i % 300 != 0) return;
        if (i == 1200) {
          seen(i) = Kokkos::atomic_exchange(&state(), State{1, 2, 3}).age;
        } else if (i == 1500) {
          seen(i) = state().age;  // EXPECT: global-race
        } else {
          seen(i) = Kokkos::atomic_load(&state()).age;
        }
      });
  Kokkos::fence();
}
