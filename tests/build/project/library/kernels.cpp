// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <cstring>

int plain();

int run(int argc, char** argv) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const stride = argc > 1 ? 1 : 8;
  Kokkos::View<int*> x("x", 1000);
  Kokkos::parallel_for("adds", 1000, KOKKOS_LAMBDA(int i) { x(i / stride) += 1; });
  if (argc > 2) {
    Kokkos::View<char*> text(Kokkos::view_alloc("text", Kokkos::WithoutInitializing), 64);
    Kokkos::View<int> same("same");
    Kokkos::parallel_for("compares", 1, KOKKOS_LAMBDA(int) { same() = std::memcmp(&text(0), &text(32), 32); });
  }
  Kokkos::fence();
  std::puts("done");
  return plain();
}
