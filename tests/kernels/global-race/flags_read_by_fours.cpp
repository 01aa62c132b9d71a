// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks look at four flags of a byte at once, and two of them set one each: these two are no other's, and do not race with
// each other.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4096;
  Kokkos::View<unsigned> four("four");
  auto* const flags = reinterpret_cast<unsigned char*>(four.data());
  Kokkos::View<unsigned char*> colours("colours", n);
  Kokkos::parallel_for(
      "look", n, KOKKOS_LAMBDA(int i) {
        colours(i) = four() == 0 ? 1 : 2;  // EXPECT: global-race
        if (i == 700) flags[1] = 1;
        if (i == 1900) flags[2] = 1;
        if (i == 2900) flags[3] = 1;
      });
  Kokkos::fence();
}
