// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane throws a number: what it stores there is the exception's own memory, and no second finding.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> x("x", 16);
  Kokkos::parallel_for(
      "check", 16, KOKKOS_LAMBDA(int i) {
        if (x(i) == 0) throw 10 * i;  // EXPECT: crash
      });
  Kokkos::fence();
}
