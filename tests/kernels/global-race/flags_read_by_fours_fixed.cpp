// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Blocks look at a flag of a byte, which nobody sets, and three of them set the others of its word.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4096;
  Kokkos::View<unsigned> four("four");
  auto* const flags = reinterpret_cast<unsigned char*>(four.data());
  Kokkos::View<unsigned char*> colours("colours", n);
  Kokkos::parallel_for(
      "look", n, KOKKOS_LAMBDA(int i) {
        colours(i) = flags[0] == 0 ? 1 : 2;
        if (i == 700) flags[1] = 1;
        if (i == 1900) flags[2] = 1;
        if (i == 2900) flags[3] = 1;
      });
  Kokkos::fence();
}
