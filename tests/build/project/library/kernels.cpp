#include <Kokkos_Core.hpp>

#include <cstdio>

int plain();

int run(int argc, char** argv) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const stride = argc > 1 ? 1 : 8;
  Kokkos::View<int*> x("x", 1000);
  Kokkos::parallel_for("adds", 1000, KOKKOS_LAMBDA(int i) { x(i / stride) += 1; });
  Kokkos::fence();
  std::puts("done");
  return plain();
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
