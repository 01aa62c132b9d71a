// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A kernel fills what kokkos_malloc gave.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64;
  auto* buffer = static_cast<int*>(Kokkos::kokkos_malloc<>("buffer", n * sizeof(int)));
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) { buffer[i] = 0; });
  Kokkos::parallel_for(
      "count", n, KOKKOS_LAMBDA(int i) { buffer[i] += i; });
  Kokkos::fence();
  Kokkos::kokkos_free<>(buffer);
}
