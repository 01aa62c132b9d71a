// EXPECT-NONE
// Who gets no node does without.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 1024, nodes = 1000;
  Kokkos::View<int> drawn("drawn");
  Kokkos::View<int*> pool("pool", nodes);
  Kokkos::parallel_for(
      "draw", n, KOKKOS_LAMBDA(int i) {
        int const at = Kokkos::atomic_fetch_add(&drawn(), 1);
        int* const node = at < nodes ? &pool(at) : nullptr;
        if (node != nullptr) *node = i;
      });
  Kokkos::fence();
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
