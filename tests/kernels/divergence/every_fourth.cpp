// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every fourth lane of a warp has something to do; the others wait for it.
// OPTIONS: check=all,divergence:device=h100
// EXPECT-EXIT: 0
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4096;
  Kokkos::View<int*> kind("kind", n);
  Kokkos::View<double*> x("x", n);
  Kokkos::parallel_for("fill", n, KOKKOS_LAMBDA(int i) { kind(i) = i % 4; });
  Kokkos::parallel_for(
      "update", n, KOKKOS_LAMBDA(int i) {
        if (kind(i) == 0)
          x(i) = 1;  // EXPECT: divergence
      });
}
