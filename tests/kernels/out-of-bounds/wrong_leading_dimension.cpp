// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flat index uses the number of rows as the row length.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const rows = 12, columns = 9;
  Kokkos::View<int**, Kokkos::LayoutRight> m("m", rows, columns);
  Kokkos::View<int*> sums("sums", rows);
  int const* data = m.data();
  Kokkos::parallel_for(
      "row sums", rows, KOKKOS_LAMBDA(int i) {
        int sum = 0;
        for (int j = 0; j < columns; ++j) {
          sum += data[i * rows + j];  // EXPECT: out-of-bounds
        }
        sums(i) = sum;
      });
  Kokkos::fence();
}
