// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each iteration that leaves a mark has a word of its own for it.
// EXPECT-NONE
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4096;
  Kokkos::View<int* [3]> marks("marks", 2);
  Kokkos::View<int*> seen("seen", n);
  Kokkos::parallel_for(
      "mark", n, KOKKOS_LAMBDA(int i) {
        seen(i) = i;
        if (i == 1000) marks(0, 0) = 1;
        if (i == 2000) marks(0, 1) = 2;
        if (i == 3000) marks(0, 2) = 3;
        if (i == 1007) marks(1, 0) = 1;
        if (i == 1008) marks(1, 1) = 2;
      });
  Kokkos::parallel_for(
      "look", n, KOKKOS_LAMBDA(int i) {
        if (i == 1009) seen(i) = marks(1, 0);
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), marks);
  return host(0, 0) < 0;
}
