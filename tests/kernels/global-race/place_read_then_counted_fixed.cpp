// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The update itself says which place it took.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 5000;
  Kokkos::View<int> length("length");
  Kokkos::View<int*> place("place", n);
  Kokkos::parallel_for(
      "collect", n, KOKKOS_LAMBDA(int i) {
        if (i % 3 != 0) return;
        int const at = Kokkos::atomic_fetch_inc(&length());
        place(i) = at;
      });
}
