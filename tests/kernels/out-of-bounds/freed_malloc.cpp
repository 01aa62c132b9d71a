// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel writes through a pointer that kokkos_free has been given.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64;
  auto* buffer = static_cast<float*>(Kokkos::kokkos_malloc<>("buffer", n * sizeof(float)));
  Kokkos::kokkos_free<>(buffer);
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) {
        buffer[i] = 1;  // EXPECT: out-of-bounds
      });
  Kokkos::fence();
}
// EXPECT-OUTPUT: free\s+it\s+behind\s+the\s+last\s+kernel
