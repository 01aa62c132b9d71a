// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An assertion fails in a lane.
#undef NDEBUG
#include <cassert>

#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> x("x", 64);
  Kokkos::parallel_for(
      "fill", 64, KOKKOS_LAMBDA(int i) { x(i) = i == 40 ? -1 : i; });
  Kokkos::parallel_for(
      "check", 64, KOKKOS_LAMBDA(int i) {
        assert(x(i) >= 0);  // EXPECT: crash
      });
  Kokkos::fence();
}
