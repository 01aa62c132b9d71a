// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host makes a list by `new`, and a kernel walks it. Lanes that take memory by themselves beside it change nothing.
#include <Kokkos_Core.hpp>

struct Node {
  Node* next;
  int value;
};
struct Head {
  Node* first;
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 600;
  Kokkos::View<Head*> own("own", n);
  Kokkos::View<int*> x("x", n);
  Kokkos::parallel_for("take", n, KOKKOS_LAMBDA(int i) { own(i).first = new Node{nullptr, i}; });
  Kokkos::parallel_for("give back", n, KOKKOS_LAMBDA(int i) { delete own(i).first; });
  Kokkos::fence();
  Head list{nullptr};  // where some of what the lanes gave back may be taken again
  for (int i = 0; i < 50; ++i) list.first = new Node{list.first, i};
  Kokkos::parallel_for(
      "walk", n, KOKKOS_LAMBDA(int i) {
        auto* const mine = new Node{nullptr, i};
        for (Node const* node = list.first; node != nullptr; node = node->next)  // EXPECT: wrong-space
          mine->value += node->value;                                            // EXPECT: wrong-space
        x(i) = mine->value;
        delete mine;
      });
  Kokkos::fence();
  while (list.first != nullptr) {
    Node* const next = list.first->next;
    delete list.first;
    list.first = next;
  }
}
