// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each iteration sets the maximum to 0 before it looks at its element, and so forgets what it was given.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 20000;
  Kokkos::View<int*> height("height", n);
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) { height(i) = (i * 7919) % 20011; });
  int largest = 0;
  Kokkos::parallel_reduce(
      "largest", n,
      KOKKOS_LAMBDA(int i, int& most) {
        most = 0;  // EXPECT: lost-contribution
        if (height(i) > most) most = height(i);
      },
      Kokkos::Max<int>(largest));
  return largest < 0;
}
