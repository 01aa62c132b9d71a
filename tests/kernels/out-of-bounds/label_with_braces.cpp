// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The label of a View holds what sentences of a report have for the lines that they name.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<double*> a("tmp{first}{to}", 64);
  // EXPECT-OUTPUT: tmp\{first\}\{to\}\(64\), extent 64
  Kokkos::parallel_for("past {update}", Kokkos::RangePolicy<>(0, 65), KOKKOS_LAMBDA(int i) {
    a(i) = i;  // EXPECT: out-of-bounds
  });
  Kokkos::fence();
}
