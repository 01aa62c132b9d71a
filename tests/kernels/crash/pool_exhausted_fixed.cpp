// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Who gets no node does without.
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
  Kokkos::parallel_for(
      "draw", n, KOKKOS_LAMBDA(int i) {
        Node* const node = pool(Kokkos::atomic_fetch_add(&drawn(), 1)).node;
        if (node != nullptr) node->owner = i;
      });
  Kokkos::fence();
}
