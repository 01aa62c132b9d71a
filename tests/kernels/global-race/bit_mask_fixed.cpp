// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Iterations that share a byte set its bits atomically.
#include <Kokkos_Core.hpp>

#include <cstdint>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 512;
  Kokkos::View<std::uint8_t*> mask("mask", n / 8);
  Kokkos::parallel_for(
      "mask", n, KOKKOS_LAMBDA(int i) { Kokkos::atomic_or(&mask(i / 8), static_cast<std::uint8_t>(1u << i % 8)); });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), mask);
  return host(7) == 255 && host(n / 8 - 1) == 255 ? 0 : 1;
}
