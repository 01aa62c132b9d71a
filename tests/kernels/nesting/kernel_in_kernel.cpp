// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each iteration over the rows launches kernels over the columns, as on the host.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const rows = 3, columns = 4;
  Kokkos::View<double**> a("a", rows, columns);
  Kokkos::View<double*> sums("sums", rows);
  Kokkos::parallel_for(
      "rows", rows, KOKKOS_LAMBDA(int i) {
        Kokkos::parallel_for("columns", columns, KOKKOS_LAMBDA(int j) { a(i, j) = i + j; });  // EXPECT: nesting
        double sum = 0;
        Kokkos::parallel_reduce(  // EXPECT: nesting
            "sum", columns, KOKKOS_LAMBDA(int j, double& s) { s += a(i, j); }, sum);
        sums(i) = sum;
      });
  // The next kernel runs as usual.
  double total = 0;
  Kokkos::parallel_reduce(
      "total", rows, KOKKOS_LAMBDA(int i, double& s) { s += sums(i); }, total);
  return total != 0;
}
