// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A lane changes device memory.
#include <Kokkos_Core.hpp>

struct Count {
  Kokkos::View<int*> y;
  KOKKOS_FUNCTION void operator()(int i) const { y(i) = i; }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> y("y", 16);
  Kokkos::parallel_for("count", 16, Count{y});
  Kokkos::fence();
}
