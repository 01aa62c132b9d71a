// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Offsets by a scan whose body assigns the length where it is to add it.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 1500;
  Kokkos::View<int*> length("length", n), offset("offset", n);
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) { length(i) = 1 + (5 * i) % 9; });
  int total = 0;
  Kokkos::parallel_scan(
      "offsets", n,
      KOKKOS_LAMBDA(int i, int& update, bool final) {
        int const own = length(i);
        if (final) offset(i) = update;
        update = own;  // EXPECT: lost-contribution
      },
      total);
  return total < 0;
}
