// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The memory is freed after the kernel has ended.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64;
  auto* buffer = static_cast<float*>(Kokkos::kokkos_malloc<>("buffer", n * sizeof(float)));
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) { buffer[i] = 1; });
  Kokkos::fence();
  Kokkos::kokkos_free<>(buffer);
}
