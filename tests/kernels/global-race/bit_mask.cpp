// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eight iterations set bits of the same byte with plain read-modify-writes.
#include <Kokkos_Core.hpp>

#include <cstdint>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 512;
  Kokkos::View<std::uint8_t*> mask("mask", n);
  Kokkos::parallel_for(
      "mask", n, KOKKOS_LAMBDA(int i) {
        mask(i / 8) |= static_cast<std::uint8_t>(1u << i % 8);  // EXPECT: global-race
      });
  Kokkos::fence();
}
