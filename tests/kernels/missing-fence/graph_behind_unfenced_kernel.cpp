// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph is submitted in an instance of its own, and reads what a kernel of the default instance writes that is not fenced.
// (The policies of nodes name the default instance, whichever theirs is.)
#include <Kokkos_Core.hpp>
#include <Kokkos_Graph.hpp>

struct Shift {
  Kokkos::View<int*> from, to;
  KOKKOS_FUNCTION void operator()(int i) const { to(i) = from(i) + 1; }  // EXPECT: missing-fence
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
  graph.submit(exec);
  Kokkos::fence();
}
