// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes count by atomics in a member of the functor, and a function that is not in line writes to another: by which line is
// seen. (A test of ArborX's; docs/found.md)
#include <Kokkos_Core.hpp>

[[gnu::noinline]] KOKKOS_FUNCTION void note(int* latest, int i) {
  *latest = i;  // EXPECT: wrong-space
}

struct Hits {
  Kokkos::View<int*> y;
  mutable int count[2] = {0, 0};
  mutable int latest = 0;
  KOKKOS_FUNCTION void operator()(int i) const {
    y(i) = Kokkos::atomic_fetch_inc(&count[i % 2]);  // EXPECT: wrong-space
    if (i > 2500) note(&latest, i);
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> y("y", 3000);
  Kokkos::parallel_for("hits", 3000, Hits{y});
  Kokkos::fence();
}
