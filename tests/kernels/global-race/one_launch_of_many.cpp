// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: launch_skip=2:launch_count=1
// Of the same kernel's launches the third alone is checked: the two before it leave what it reads, and its race is found.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 3000;
  Kokkos::View<int*> values(Kokkos::view_alloc("values", Kokkos::WithoutInitializing), n + 1);
  for (int step = 0; step != 5; ++step)
    Kokkos::parallel_for(
        "step", n, KOKKOS_LAMBDA(int i) {
          if (step < 2)
            values(i) = i, values(n) = 0;
          else
            values(i + 1) =   // EXPECT: global-race
                values(i) + 1;
        });
}
