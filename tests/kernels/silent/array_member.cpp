// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A local object whose array member has an initialiser: the compiler copies it from a constant of its own.
#include <Kokkos_Core.hpp>

struct Sums {
  double value[5] = {0, 0, 0, 0, 0};
  int count[3] = {1, 2, 3};
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<double*> y("y", 100);
  Kokkos::parallel_for(
      "sums", 100, KOKKOS_LAMBDA(int i) {
        Sums sums;
        sums.value[i % 5] += i;
        y(i) = sums.value[i % 5] + sums.count[i % 3];
      });
  Kokkos::fence();
}
// EXPECT-NONE
