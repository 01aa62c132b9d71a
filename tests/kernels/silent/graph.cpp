// EXPECT-NONE
// A graph of kernels: what its edges order is ordered, in every submission.
#include <Kokkos_Core.hpp>

#include <Kokkos_Graph.hpp>

#include <cstdlib>

namespace ke = Kokkos::Experimental;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 1000;
  Kokkos::View<double*> a("a", n), b("b", n);
  Kokkos::View<double> sum("sum");
  auto graph = ke::create_graph([&](auto root) {
    auto const fill_a = root.then_parallel_for(
        "a", n, KOKKOS_LAMBDA(int i) { a(i) = i; });
    auto const fill_b = root.then_parallel_for(
        "b", n, KOKKOS_LAMBDA(int i) { b(i) = 2 * i; });
    ke::when_all(fill_a, fill_b)
        .then_parallel_reduce(
            "sum", n, KOKKOS_LAMBDA(int i, double& update) { update += a(i) + b(n - 1 - i); }, sum);
  });
  for (int round = 0; round < 2; ++round) graph.submit();
  Kokkos::fence();
  double result = 0;
  Kokkos::deep_copy(result, sum);
  if (result != 3 * 499500.) std::abort();
}
