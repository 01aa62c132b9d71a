// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: check=all,coalesce:device=h100
// One strided read beside four in order, of one View and on one line: the mean of the line is good.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4096;
  Kokkos::View<double*> x("x", 16 * n), z("z", n);
  Kokkos::deep_copy(x, 1);
  Kokkos::parallel_for("sum", n, KOKKOS_LAMBDA(int i) {
    z(i) = x(i) + x(i + 32) + x(i + 64) + x(i + 96) + x(16 * i);  // EXPECT: uncoalesced
  });
  Kokkos::fence();
}
