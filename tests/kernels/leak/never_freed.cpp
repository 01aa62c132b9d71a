// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A solver is made with new for each size and never deleted, and the workspace of kokkos_malloc is forgotten.
// OPTIONS: leak_check=full
// EXPECT-OUTPUT: \[leak\] device memory is never freed
// EXPECT-OUTPUT: residual: double\[64\], 512 bytes
// EXPECT-OUTPUT: 3 allocations, 3,584 bytes: there when Kokkos::finalize was called, and\s+at\s+the\s+program's\s+end
// EXPECT-OUTPUT: destroy its last View before Kokkos::finalize
// EXPECT-OUTPUT: give it to Kokkos::kokkos_free before Kokkos::finalize
#include <Kokkos_Core.hpp>

namespace {

struct Solver {
  Kokkos::View<double*> residual;
  explicit Solver(int n) : residual("residual", n) {}  // EXPECT: leak
  double norm() const {
    double sum = 0;
    auto const r = residual;
    Kokkos::parallel_reduce(
        "norm", r.extent(0), KOKKOS_LAMBDA(int i, double& s) { s += r(i) * r(i); }, sum);
    return sum;
  }
};

double sum_of_norms() {
  double sum = 0;
  for (int const n : {64, 128, 256}) {
    auto* const solver = new Solver(n);
    sum += solver->norm();
  }
  return sum;
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  double const sum = sum_of_norms();
  auto* const work = static_cast<int*>(Kokkos::kokkos_malloc("work", 100 * sizeof(int)));  // EXPECT: leak
  Kokkos::parallel_for(
      "work", 100, KOKKOS_LAMBDA(int i) { work[i] = i; });
  Kokkos::fence();
  return sum == 0 ? 0 : 1;
}
