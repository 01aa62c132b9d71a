// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One kernel of 300 functions that store, as a dispatch over generated reactions has: the last iteration takes another one's
// element. In the first kernel a block comes by hundreds of them; in the second one, all of the first blocks by one.
#include <Kokkos_Core.hpp>

#include <utility>

constexpr int reactions = 300, cells = 20000, many_cells = 650000;

template <int reaction>
KOKKOS_FUNCTION __attribute__((noinline)) void store_rate(int* rates, int cell, int value) {
  rates[cell] = value ^ reaction;  // EXPECT: global-race
}

template <int... reaction>
KOKKOS_FUNCTION void dispatch(int* rates, int which, int cell, int value, std::integer_sequence<int, reaction...>) {
  ((which == reaction ? store_rate<reaction>(rates, cell, value) : void()), ...);
}

template <int reaction>
KOKKOS_FUNCTION __attribute__((noinline)) void store_late_rate(int* rates, int cell, int value) {
  rates[cell] = value ^ reaction;  // EXPECT: global-race
}

template <int... reaction>
KOKKOS_FUNCTION void dispatch_late(int* rates, int which, int cell, int value, std::integer_sequence<int, reaction...>) {
  ((which == reaction ? store_late_rate<reaction>(rates, cell, value) : void()), ...);
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> rates("rates", cells), late("late", cells), often("often", many_cells);
  Kokkos::parallel_for(
      "many", cells, KOKKOS_LAMBDA(int i) {
        dispatch(rates.data(), i % reactions, i == cells - 1 ? 9000 : i, i, std::make_integer_sequence<int, reactions>{});
      });
  Kokkos::parallel_for(
      "many late", cells, KOKKOS_LAMBDA(int i) {
        dispatch_late(late.data(), i < 4096 ? 0 : i % reactions, i == cells - 1 ? 9000 : i, i,
                      std::make_integer_sequence<int, reactions>{});
      });
  // The first 255 of them in the first blocks; then others, to more words than a launch has room for conflicts on.
  Kokkos::parallel_for(
      "many words", many_cells, KOKKOS_LAMBDA(int i) {
        int const which = i < 4096 ? 0 : i < 8192 ? i % reactions : 256 + i % (reactions - 256);
        int const cell = i == many_cells - 1 ? many_cells - 1000 : i;
        dispatch_late(often.data(), which, cell, i, std::make_integer_sequence<int, reactions>{});
      });
  Kokkos::fence();
}
