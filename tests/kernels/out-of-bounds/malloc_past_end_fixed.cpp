// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The size given to kokkos_malloc is in bytes.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 1000;
  auto* buffer = static_cast<short*>(Kokkos::kokkos_malloc<>("buffer", n * sizeof(short)));
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) { buffer[i] = 1; });
  Kokkos::fence();
  Kokkos::kokkos_free<>(buffer);
}
