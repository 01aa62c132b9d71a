// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The default instance is fenced before the graph is submitted.
#include <Kokkos_Core.hpp>
#include <Kokkos_Graph.hpp>

struct Shift {
  Kokkos::View<int*> from, to;
  KOKKOS_FUNCTION void operator()(int i) const { to(i) = from(i) + 1; }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  int const n = 500;
  Kokkos::View<int*> const a("a", n), b("b", n), c("c", n);
  auto const exec = Kokkos::Experimental::partition_space(Kokkos::DefaultExecutionSpace(), 1)[0];
  Kokkos::fence();
  Kokkos::RangePolicy<> const range(0, n);
  auto graph = Kokkos::Experimental::create_graph(
      [&](auto const& root) { root.then_parallel_for("shift", range, Shift{b, c}); });
  Kokkos::parallel_for(
      "before", range, KOKKOS_LAMBDA(int i) { b(i) = a(i); });
  Kokkos::DefaultExecutionSpace().fence();
  graph.submit(exec);
  Kokkos::fence();
}
