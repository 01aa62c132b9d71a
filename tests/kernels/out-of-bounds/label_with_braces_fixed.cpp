// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The label of a View holds what sentences of a report have for the lines that they name.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<double*> a("tmp{first}{to}", 64);
  Kokkos::parallel_for("past {update}", Kokkos::RangePolicy<>(0, 64), KOKKOS_LAMBDA(int i) {
    a(i) = i;
  });
  Kokkos::fence();
}
