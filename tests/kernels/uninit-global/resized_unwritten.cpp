// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table grows by Kokkos::resize, and what nothing has written is read: a column of the old rows, and the new rows. What was
// not written before is not written by the copy.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  int const rows = 40, more = 60;
  Kokkos::View<double**, Kokkos::LayoutRight> table(Kokkos::view_alloc(Kokkos::WithoutInitializing, "table"), rows, 4);
  Kokkos::parallel_for(
      "fill", rows, KOKKOS_LAMBDA(int i) {
        for (int j = 0; j < 3; ++j) table(i, j) = i + j;
      });
  Kokkos::resize(Kokkos::WithoutInitializing, table, more, 4);
  double sum = 0, last = 0;
  Kokkos::parallel_reduce(
      "all_rows", more,
      KOKKOS_LAMBDA(int i, double& add) {
        add += table(i, 0);  // EXPECT: uninit-global
      },
      sum);
  Kokkos::parallel_reduce(
      "last_column", rows,
      KOKKOS_LAMBDA(int i, double& add) {
        add += table(i, 3);  // EXPECT: uninit-global
      },
      last);
}
