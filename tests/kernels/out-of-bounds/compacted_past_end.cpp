// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What passes a test is stored at an index that an atomic gives out, in a View for half of the elements; two thirds pass.
// Which block comes to the end hangs on the order of blocks: the Rerun line checks them all.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4096;
  Kokkos::View<int> count("count");
  Kokkos::View<int*> out("out", n / 2);
  Kokkos::parallel_for(
      "compact", n, KOKKOS_LAMBDA(int i) {
        if (i % 3 != 0) out(Kokkos::atomic_fetch_add(&count(), 1)) = i;  // EXPECT: out-of-bounds
      });
  Kokkos::fence();
}
