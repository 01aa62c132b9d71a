// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Clusters annex vertices. Who has the vertex is read once its lock is taken.
#include <Kokkos_Core.hpp>

int main() {
  Kokkos::ScopeGuard guard;
  int const clusters = 1024, vertices = clusters / 2;
  Kokkos::View<int*> owner("owner", vertices), locks("locks", vertices), counts("counts", clusters);
  Kokkos::parallel_for(
      "annex", clusters, KOKKOS_LAMBDA(int i) {
        int const vertex = i / 2;
        if (Kokkos::atomic_compare_exchange(&locks(vertex), 0, 1) != 0) return;
        Kokkos::memory_fence();
        Kokkos::atomic_dec(&counts(owner(vertex)));
        Kokkos::atomic_inc(&counts(i));
        owner(vertex) = i;
        Kokkos::memory_fence();
        Kokkos::atomic_exchange(&locks(vertex), 0);
      });
  Kokkos::fence();
}
