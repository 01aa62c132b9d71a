// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// x is filled, and nothing is found: an exchange of 16 bytes takes a lock of Kokkos' among the host's variables.
#include <Kokkos_Core.hpp>

struct Pair {
  double v[2];
};

template <int place>
[[gnu::noinline]] KOKKOS_FUNCTION void exchange(Pair* pair, Pair& mine) {
  if (place != 0) mine = Kokkos::atomic_exchange(pair, mine);
  mine = Kokkos::atomic_exchange(pair, mine);
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<double*> x("x", 3000), y("y", 3000);
  Kokkos::View<Pair*> pairs("pairs", 3000);
  Kokkos::parallel_for(
      "copy", 3000, KOKKOS_LAMBDA(int i) {
        y(i) = x(i);
      });
  Kokkos::parallel_for(
      "exchange", 3000, KOKKOS_LAMBDA(int i) {
        Pair mine{};
        if (i % 2 == 0)
          exchange<0>(&pairs(i), mine);
        else
          exchange<1>(&pairs(i), mine);
      });
  Kokkos::fence();
}
// EXPECT-NONE
