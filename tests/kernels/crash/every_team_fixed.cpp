// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// OPTIONS: num_threads=4
// Each node has a next one.
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
      "link", n, KOKKOS_LAMBDA(int i) {
        nodes(i) = {i, &nodes((i + 1) % n)};
      });
  Kokkos::parallel_for(
      "follow", n, KOKKOS_LAMBDA(int i) {
        y(i) = nodes(i).next->value;
      });
  Kokkos::fence();
}
