// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kokkos_malloc does not clear what it gives.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64;
  auto* buffer = static_cast<int*>(Kokkos::kokkos_malloc<>("buffer", n * sizeof(int)));
  Kokkos::parallel_for(
      "count", n, KOKKOS_LAMBDA(int i) {
        buffer[i] += i;  // EXPECT: uninit-global
      });
  Kokkos::fence();
  Kokkos::kokkos_free<>(buffer);
}
// EXPECT-OUTPUT: only\s+a\s+View\s+is\s+initialised\s+when\s+it\s+is\s+made
