// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// OPTIONS: launch_skip=2:launch_count=1
// The launch that is checked is right; those that race are not.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 3000;
  Kokkos::View<int*> values(Kokkos::view_alloc("values", Kokkos::WithoutInitializing), n + 1);
  for (int step = 0; step != 5; ++step)
    Kokkos::parallel_for(
        "step", n, KOKKOS_LAMBDA(int i) {
          if (step == 2)
            values(i) += 1;
          else
            values(i + 1) = values(i) = i;
        });
}
