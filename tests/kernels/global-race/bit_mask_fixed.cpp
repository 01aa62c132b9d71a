// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// One byte an iteration: neighbours share a word, and no byte is touched twice.
#include <Kokkos_Core.hpp>

#include <cstdint>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 512;
  Kokkos::View<std::uint8_t*> mask("mask", n);
  Kokkos::parallel_for(
      "mask", n, KOKKOS_LAMBDA(int i) { mask(i) |= static_cast<std::uint8_t>(1u << i % 8); });
  Kokkos::fence();
}
