// Lanes draw nodes from a pool that has fewer than are asked for, and nobody asks whether one was got. Who comes too late hangs
// on the order of blocks: the Rerun line checks them all.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 1024, nodes = 1000;
  Kokkos::View<int> drawn("drawn");
  Kokkos::View<int*> pool("pool", nodes);
  // EXPECT-OUTPUT: the address was 0x0: a null pointer
  Kokkos::parallel_for(
      "draw", n, KOKKOS_LAMBDA(int i) {
        int const at = Kokkos::atomic_fetch_add(&drawn(), 1);
        int* const node = at < nodes ? &pool(at) : nullptr;
        *node = i;  // EXPECT: crash
      });
  Kokkos::fence();
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
