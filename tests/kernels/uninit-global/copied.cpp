// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copying an array that nothing has written does not make the copy initialised.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64;
  Kokkos::View<int*> from(Kokkos::view_alloc("from", Kokkos::WithoutInitializing), n), to("to", n), y("y", n);
  Kokkos::deep_copy(to, from);
  Kokkos::parallel_for(
      "use", n, KOKKOS_LAMBDA(int i) {
        y(i) = to(n - 1 - i);  // EXPECT: uninit-global
      });
  Kokkos::fence();
}
