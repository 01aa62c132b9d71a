// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host code reads device memory through View::data().
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<double*> x("x", 10);
  Kokkos::deep_copy(x, 1.0);
  double const* data = x.data();
  double sum = 0;
  for (int i = 0; i < 10; ++i) {
    sum += data[i];  // EXPECT: wrong-space
  }
  return sum == 10 ? 0 : 1;
}
