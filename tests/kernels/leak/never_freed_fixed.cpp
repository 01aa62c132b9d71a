// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: leak_check=full
// EXPECT-NONE
#include <Kokkos_Core.hpp>

#include <memory>

namespace {

struct Solver {
  Kokkos::View<double*> residual;
  explicit Solver(int n) : residual("residual", n) {}
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
    auto const solver = std::make_unique<Solver>(n);
    sum += solver->norm();
  }
  return sum;
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  double const sum = sum_of_norms();
  auto* const work = static_cast<int*>(Kokkos::kokkos_malloc("work", 100 * sizeof(int)));
  Kokkos::parallel_for(
      "work", 100, KOKKOS_LAMBDA(int i) { work[i] = i; });
  Kokkos::kokkos_free(work);
  return sum == 0 ? 0 : 1;
}
