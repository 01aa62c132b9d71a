// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many iterations of the first block store the same mark to a word, and one of a later block another one, on another line. The
// first two iterations to race are told, whichever way the launch is judged, and the other line once these are mended.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4096;
  Kokkos::View<int> mark("mark");
  Kokkos::View<int*> keys("keys", n);
  Kokkos::parallel_for("find", n, KOKKOS_LAMBDA(int i) {
    bool const last = i == 3000;
    if (!last && keys(i) == 0 && i < 64) mark() = 7;  // EXPECT: global-race
    if (last && keys(i) == 0) mark() = 8;
  });
  Kokkos::fence();
}
