// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A tree from its leaves up: of two children the one that counts second goes on with the parent.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const leaves = 512;
  Kokkos::View<int*> arrived("arrived", leaves);
  Kokkos::View<int*> largest(Kokkos::view_alloc("largest", Kokkos::WithoutInitializing), 2 * leaves);
  Kokkos::parallel_for(
      "tree", leaves, KOKKOS_LAMBDA(int i) {
        int node = leaves + i;
        largest(node) = (i * 37) % leaves;
        while (node > 1) {
          node /= 2;
          Kokkos::memory_fence();
          if (Kokkos::atomic_fetch_add(&arrived(node), 1) == 0) return;
          Kokkos::memory_fence();
          largest(node) = Kokkos::max(largest(2 * node), largest(2 * node + 1));
        }
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), largest);
  return host(1) == leaves - 1 ? 0 : 1;
}
