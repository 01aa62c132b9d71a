// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The count begins at zero and is read by a kernel of its own; of the first block one iteration alone stores.
// EXPECT-NONE
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Kokkos::View<int> count("count"), latest("latest"), seen("seen");
  Kokkos::parallel_for(
      "count", 2560, KOKKOS_LAMBDA(int i) {
        if (i == 148) latest() = i;
        if (i == 241 || i == 2306) Kokkos::atomic_add(&count(), 1);
      });
  Kokkos::parallel_for("look", 1, KOKKOS_LAMBDA(int) { seen() = count(); });
  Kokkos::fence();
}
