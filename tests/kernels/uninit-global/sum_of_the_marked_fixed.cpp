// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The sum begins as zero.
#include <Kokkos_Core.hpp>

void add_up(int n, int marked, Kokkos::View<unsigned char*> marks, Kokkos::View<long> sum) {
  Kokkos::parallel_for(
      "add up", n, KOKKOS_LAMBDA(int i) {
        unsigned char volatile* const mark = &marks(i);
        if (i < marked) *mark = *mark + 1;
        Kokkos::atomic_add(&sum(), i);
      });
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 1403;
  Kokkos::View<unsigned char*> marks("marks", n);
  add_up(n, 0, marks, Kokkos::View<long>("earlier"));
  add_up(n, n - 50, marks, Kokkos::View<long>("sum"));
  Kokkos::fence();
}
