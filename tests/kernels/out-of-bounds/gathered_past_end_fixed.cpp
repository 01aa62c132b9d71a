// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// One instruction reads all over two large arrays, to their very ends.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 100'003, lanes = 3000;
  Kokkos::View<double*> x("x", n), z("z", n), y("y", lanes);
  Kokkos::parallel_for(
      "gather", lanes, KOKKOS_LAMBDA(int i) {
        double const* const from = i % 3 == 0 ? z.data() : x.data();
        long const at = i == lanes - 1 ? n - 1 : static_cast<long>(i) * 7919 % n;
        y(i) = from[at];
      });
}
