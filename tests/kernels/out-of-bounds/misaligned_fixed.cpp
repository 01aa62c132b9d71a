// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The double is read from an aligned address.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 16;
  Kokkos::View<char*> message("message", n * 16);
  Kokkos::View<double*> y("y", n);
  Kokkos::parallel_for(
      "unpack", n, KOKKOS_LAMBDA(int i) {
        auto const* value = reinterpret_cast<double const*>(message.data() + i * 16 + 8);
        y(i) = *value;
      });
  Kokkos::fence();
}
