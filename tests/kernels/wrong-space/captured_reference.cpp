// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functor holds the address of a variable on the host's stack.
#include <Kokkos_Core.hpp>

struct Largest {
  Kokkos::View<int const*> x;
  int* largest;
  KOKKOS_FUNCTION void operator()(int i) const {
    if (i == 3) *largest = x(i);  // EXPECT: wrong-space
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> x("x", 20);
  int largest = -1;
  Kokkos::parallel_for("largest", 20, Largest{x, &largest});
  Kokkos::fence();
  return largest > 0;
}
