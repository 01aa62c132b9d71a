// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// every_fourth.cpp with the work that there is side by side. The last warp is part full: that is the range's end.
// OPTIONS: check=all,divergence:device=h100
// EXPECT-NONE
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4096, of_kind = n / 4 + 5;
  Kokkos::View<int*> kind("kind", n);
  Kokkos::View<double*> x("x", n);
  Kokkos::parallel_for("fill", n, KOKKOS_LAMBDA(int i) { kind(i) = i < of_kind ? 0 : 1; });
  Kokkos::parallel_for(
      "update", of_kind, KOKKOS_LAMBDA(int i) {
        if (kind(i) == 0) x(i) = 1;
      });
}
