// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes count in a View; a function that is not in line writes to a variable of the lane's.
#include <Kokkos_Core.hpp>

[[gnu::noinline]] KOKKOS_FUNCTION void note(int* latest, int i) { *latest = i; }

struct Hits {
  Kokkos::View<int*> y;
  Kokkos::View<int[2]> count;
  KOKKOS_FUNCTION void operator()(int i) const {
    Hits const mine = *this;
    y(i) = Kokkos::atomic_fetch_inc(&mine.count(i % 2));
    int latest = 0;
    if (i > 2500) note(&latest, i);
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> y("y", 3000);
  Kokkos::parallel_for("hits", 3000, Hits{y, Kokkos::View<int[2]>("count")});
  Kokkos::fence();
}
// EXPECT-NONE
