// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The size given to kokkos_malloc is in bytes, not in elements.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 1000;
  auto* buffer = static_cast<short*>(Kokkos::kokkos_malloc<>("buffer", n));
  Kokkos::parallel_for(
      "fill", n / 2 + 8, KOKKOS_LAMBDA(int i) {
        buffer[i] = 1;  // EXPECT: out-of-bounds
      });
  Kokkos::fence();
  Kokkos::kokkos_free<>(buffer);
}
// EXPECT-OUTPUT: below\s+the\s+number\s+of\s+elements\s+that\s+were\s+allocated
