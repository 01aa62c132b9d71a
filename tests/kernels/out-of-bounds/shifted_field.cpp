// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel reads before the start of the second View, which it has by another name; the first, of which it holds nothing,
// lies nearer.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 512, shift = 64;
  Kokkos::View<double*> before("before", n), pressure("pressure", n), out("out", n);
  Kokkos::deep_copy(before, 1.0);
  Kokkos::deep_copy(pressure, 1.0);
  auto const field = pressure;
  Kokkos::parallel_for(
      "shift", n, KOKKOS_LAMBDA(int i) {
        out(i) = field(i - shift);  // EXPECT: out-of-bounds
      });
  Kokkos::fence();
}
