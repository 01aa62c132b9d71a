// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane reads through a null pointer.
#include <Kokkos_Core.hpp>

struct Node {
  int value;
  Node* next;
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 8;
  Kokkos::View<Node*> nodes("nodes", n);
  Kokkos::View<int*> y("y", n);
  // EXPECT-OUTPUT: the address was 0x0: a null pointer
  Kokkos::parallel_for(
      "follow", n, KOKKOS_LAMBDA(int i) {
        y(i) = nodes(i).next->value;  // EXPECT: crash
      });
  Kokkos::fence();
}
