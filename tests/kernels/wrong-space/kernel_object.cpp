// A lane changes the functor, which a GPU keeps in constant memory.
#include <Kokkos_Core.hpp>

struct Count {
  Kokkos::View<int*> y;
  mutable int count = 0;
  KOKKOS_FUNCTION void operator()(int i) const {
    count += i;  // EXPECT: wrong-space
    y(i) = count;
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> y("y", 16);
  Kokkos::parallel_for("count", 16, Count{y});
  Kokkos::fence();
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
