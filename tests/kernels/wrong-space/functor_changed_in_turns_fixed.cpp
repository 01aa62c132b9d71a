// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane waits for another one of its block, and then changes a variable of its own.
#include <Kokkos_Core.hpp>

struct Count {
  int k = 0;
};

KOKKOS_FUNCTION void meet(Kokkos::View<int> const& flag, int i) {
  if (i == 255) Kokkos::atomic_store(&flag(), 1);
  while (i == 0 && Kokkos::atomic_load(&flag()) == 0) {
  }
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int> flag("flag");
  Kokkos::View<int*> y("y", 256);
  using Kokkos::parallel_for;
  parallel_for("turns", 256, KOKKOS_LAMBDA(int i) {
    Count c;
    meet(flag, i);
    y(i) = i == 0 ? c.k = 7 : i;
  });
  Kokkos::fence();
}
// EXPECT-NONE
