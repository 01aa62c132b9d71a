// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterations of two blocks count in what nobody has set to zero, and one of them reads it, too. What the first block does
// besides, here a race, says nothing of that: it once decided how the launch was judged, and the count was not told.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Kokkos::View<int> count(Kokkos::view_alloc("count", Kokkos::WithoutInitializing)), latest("latest"), seen("seen");
  Kokkos::parallel_for(
      "count", 2560, KOKKOS_LAMBDA(int i) {
        if (i == 2 || i == 148) latest() = i;                       // EXPECT: global-race
        if (i == 241 || i == 2306) Kokkos::atomic_add(&count(), 1);  // EXPECT: uninit-global
        if (i == 241) seen() = count();                             // EXPECT: global-race
      });
  Kokkos::fence();
}
