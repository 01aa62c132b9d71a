// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The values lie in a View of the device's memory space.
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
  Kokkos::View<int*> x("x", n), list("list", 50);
  Kokkos::parallel_for("take", n, KOKKOS_LAMBDA(int i) { own(i).first = new Node{nullptr, i}; });
  Kokkos::parallel_for("give back", n, KOKKOS_LAMBDA(int i) { delete own(i).first; });
  Kokkos::fence();
  auto const values = Kokkos::create_mirror_view(list);
  for (int i = 0; i < 50; ++i) values(i) = i;
  Kokkos::deep_copy(list, values);
  Kokkos::parallel_for(
      "walk", n, KOKKOS_LAMBDA(int i) {
        auto* const mine = new Node{nullptr, i};
        for (int k = 0; k < 50; ++k) mine->value += list(k);
        x(i) = mine->value;
        delete mine;
      });
  Kokkos::fence();
}
