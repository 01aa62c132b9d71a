// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes draw nodes from a pool that has fewer than are asked for, and nobody asks whether one was got. Who comes too late hangs
// on the order of blocks: the Rerun line checks them all.
#include <Kokkos_Core.hpp>

struct Node {
  int owner;
};

struct Slot {
  Node* node;
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 1024, nodes = 1000;
  Kokkos::View<int> drawn("drawn");
  Kokkos::View<Node*> storage("storage", nodes);
  Kokkos::View<Slot*> pool("pool", n);
  Kokkos::parallel_for(
      "offer", nodes, KOKKOS_LAMBDA(int i) { pool(i).node = &storage(i); });
  // EXPECT-OUTPUT: the address was 0x0: a null pointer
  Kokkos::parallel_for(
      "draw", n, KOKKOS_LAMBDA(int i) {
        Node* const node = pool(Kokkos::atomic_fetch_add(&drawn(), 1)).node;
        node->owner = i;  // EXPECT: crash
      });
  Kokkos::fence();
}
