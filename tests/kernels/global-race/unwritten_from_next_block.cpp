// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the first block reads of the second one, which writes there, is a race, and nothing else: whether anybody has written
// it hangs on who comes first.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4096;
  Kokkos::View<int*> x(Kokkos::view_alloc("x", Kokkos::WithoutInitializing), n);
  Kokkos::parallel_for("shift", n, KOKKOS_LAMBDA(int i) {
    int const next = i + 1 < n ? x(i + 1) : 0;  // EXPECT: global-race
    x(i) = next;
  });
  Kokkos::fence();
}
