// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph runs in the instance in which it is submitted, whichever its nodes' policies name: a kernel in another one, here the
// default one, uses what its nodes left, and nobody has fenced it.
#include <Kokkos_Core.hpp>
#include <Kokkos_Graph.hpp>

struct Fill {
  Kokkos::View<int*> x;
  KOKKOS_FUNCTION void operator()(int i) const {
    x(i) = i;  // EXPECT: missing-fence
  }
};
struct Shift {
  Kokkos::View<int*> from, to;
  KOKKOS_FUNCTION void operator()(int i) const {
    to(i) = from(i) + 1;  // EXPECT: missing-fence
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 500;
  Kokkos::View<int*> a("a", n), b("b", n);
  Kokkos::RangePolicy<> const range(0, n);
  auto const exec = Kokkos::Experimental::partition_space(Kokkos::DefaultExecutionSpace(), 1)[0];
  Kokkos::fence();
  auto graph = Kokkos::Experimental::create_graph([&](auto const& root) { root.then_parallel_for("fill", range, Fill{a}); });
  graph.submit(exec);
  Kokkos::parallel_for("shift", range, Shift{a, b});
  Kokkos::fence();
  return 0;
}
