// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The View has room for all that can pass.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4096;
  Kokkos::View<int> count("count");
  Kokkos::View<int*> out("out", n);
  Kokkos::parallel_for(
      "compact", n, KOKKOS_LAMBDA(int i) {
        if (i % 3 != 0) out(Kokkos::atomic_fetch_add(&count(), 1)) = i;
      });
  Kokkos::fence();
}
