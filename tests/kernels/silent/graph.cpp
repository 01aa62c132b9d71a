// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A graph of kernels: what its edges order is ordered, in every submission.
#include <Kokkos_Core.hpp>

#include <Kokkos_Graph.hpp>

#include <cstdlib>

namespace ke = Kokkos::Experimental;

// No lambdas: nvcc takes none inside a lambda whose parameters are auto.
struct Fill {
  Kokkos::View<double*> x;
  double factor;
  KOKKOS_FUNCTION void operator()(int i) const { x(i) = factor * i; }
};

struct Sum {
  Kokkos::View<double*> a, b;
  KOKKOS_FUNCTION void operator()(int i, double& update) const { update += a(i) + b(b.extent_int(0) - 1 - i); }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 1000;
  Kokkos::View<double*> a("a", n), b("b", n);
  Kokkos::View<double> sum("sum");
  auto graph = ke::create_graph([&](auto root) {
    auto const fill_a = root.then_parallel_for("a", n, Fill{a, 1});
    auto const fill_b = root.then_parallel_for("b", n, Fill{b, 2});
    ke::when_all(fill_a, fill_b).then_parallel_reduce("sum", n, Sum{a, b}, sum);
  });
  for (int round = 0; round < 2; ++round) graph.submit();
  Kokkos::fence();
  double result = 0;
  Kokkos::deep_copy(result, sum);
  if (result != 3 * 499500.) std::abort();
}
