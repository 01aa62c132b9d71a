// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The result is reduced and comes back through parallel_reduce.
#include <Kokkos_Core.hpp>

struct Largest {
  Kokkos::View<int const*> x;
  KOKKOS_FUNCTION void operator()(int i, int& largest) const {
    if (x(i) > largest) largest = x(i);
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> x("x", 20);
  int largest = -1;
  Kokkos::parallel_reduce("largest", 20, Largest{x}, Kokkos::Max<int>(largest));
  Kokkos::fence();
  return largest > 0;
}
