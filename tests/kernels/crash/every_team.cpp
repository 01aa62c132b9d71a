// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: num_threads=4
// Every team reads through a null pointer, several at the same time: the first one in league order is told.
#include <Kokkos_Core.hpp>

struct Node {
  int value;
  Node* next;
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4096;
  Kokkos::View<Node*> nodes("nodes", n);
  Kokkos::View<int*> y("y", n);
  Kokkos::parallel_for(
      "follow", n, KOKKOS_LAMBDA(int i) {
        y(i) = nodes(i).next->value;  // EXPECT: crash
      });
  Kokkos::fence();
}
