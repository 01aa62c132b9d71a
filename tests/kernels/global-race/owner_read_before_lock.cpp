// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clusters annex vertices (Kokkos Kernels, BalloonClustering). Who has the vertex is read before its lock is taken: another may
// have annexed it meanwhile, and then it is subtracted from a cluster that has lost it already.
#include <Kokkos_Core.hpp>

int main() {
  Kokkos::ScopeGuard guard;
  int const clusters = 1024, vertices = clusters / 2;
  Kokkos::View<int*> owner("owner", vertices), locks("locks", vertices), counts("counts", clusters);
  Kokkos::parallel_for(
      "annex", clusters, KOKKOS_LAMBDA(int i) {
        int const vertex = i / 2;
        int const had = owner(vertex);  // EXPECT: global-race
        if (Kokkos::atomic_compare_exchange(&locks(vertex), 0, 1) != 0) return;
        Kokkos::memory_fence();
        Kokkos::atomic_dec(&counts(had));
        Kokkos::atomic_inc(&counts(i));
        owner(vertex) = i;
        Kokkos::memory_fence();
        Kokkos::atomic_exchange(&locks(vertex), 0);
      });
  Kokkos::fence();
}
