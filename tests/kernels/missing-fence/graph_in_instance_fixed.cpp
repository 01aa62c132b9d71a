// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A graph runs in the instance in which it is submitted: a kernel in that one comes behind its nodes, and one in another when
// that was fenced.
#include <Kokkos_Core.hpp>
#include <Kokkos_Graph.hpp>

struct Fill {
  Kokkos::View<int*> x;
  KOKKOS_FUNCTION void operator()(int i) const {
    x(i) = i;
  }
};
struct Shift {
  Kokkos::View<int*> from, to;
  KOKKOS_FUNCTION void operator()(int i) const {
    to(i) = from(i) + 1;
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
  Kokkos::parallel_for("shift", Kokkos::RangePolicy<>(exec, 0, n), Shift{a, b});
  exec.fence();
  Kokkos::parallel_for("shift back", range, Shift{b, a});
  Kokkos::fence();
  return 0;
}
