// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane changes the functor, which a GPU keeps in constant memory.
#include <Kokkos_Core.hpp>

struct Count {
  mutable int count = 0;
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> y("y", 16);
  Count const c;
  Kokkos::parallel_for("count", 16, KOKKOS_LAMBDA(int i) { y(i) = c.count += i; });  // EXPECT: wrong-space
  Kokkos::fence();
}
