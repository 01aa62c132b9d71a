// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The larger of what stands there and what this iteration needs, by a macro and at two places: no update is atomic.
#include <Kokkos_Core.hpp>

#define LARGER(a, b) ((a) > (b) ? (a) : (b))

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 256;
  Kokkos::View<int> longest("longest");
  Kokkos::View<int*> length("length", n);
  Kokkos::parallel_for("length", n, KOKKOS_LAMBDA(int i) { length(i) = i % 9; });
  Kokkos::parallel_for("longest", n, KOKKOS_LAMBDA(int i) {
    int const own = length(i);
    if (i % 2 == 0)
      longest() = LARGER(longest(), own);  // EXPECT: global-race
    else
      longest() = LARGER(longest(), own + 1);  // EXPECT: global-race?
  });
  Kokkos::fence();
}
