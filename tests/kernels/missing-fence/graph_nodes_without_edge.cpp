// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two nodes of a graph follow the same one and use one View: no edge orders them.
#include <Kokkos_Core.hpp>
#include <Kokkos_Graph.hpp>

struct Fill {
  Kokkos::View<int*> x;
  int value;
  KOKKOS_FUNCTION void operator()(int i) const {
    x(i) = value + i;  // EXPECT: missing-fence
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
  auto graph = Kokkos::Experimental::create_graph([&](auto const& root) {
    auto const start = root.then_parallel_for("start", range, Fill{b, 0});
    start.then_parallel_for("left", range, Fill{a, 7});
    start.then_parallel_for("right", range, Shift{a, b});
  });
  graph.submit();
  graph.submit();
  Kokkos::fence();
  return 0;
}
