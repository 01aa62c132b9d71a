// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The one follows the other; two more that share nothing but what they read follow both.
#include <Kokkos_Core.hpp>
#include <Kokkos_Graph.hpp>

struct Fill {
  Kokkos::View<int*> x;
  int value;
  KOKKOS_FUNCTION void operator()(int i) const {
    x(i) = value + i;
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
  Kokkos::View<int*> a("a", n), b("b", n), c("c", n), d("d", n);
  Kokkos::RangePolicy<> const range(0, n);
  auto graph = Kokkos::Experimental::create_graph([&](auto const& root) {
    auto const start = root.then_parallel_for("start", range, Fill{b, 0});
    auto const left = start.then_parallel_for("left", range, Fill{a, 7});
    auto const right = left.then_parallel_for("right", range, Shift{a, b});
    auto const one = right.then_parallel_for("one", range, Shift{b, c});
    auto const two = right.then_parallel_for("two", range, Shift{b, d});
    Kokkos::Experimental::when_all(one, two).then_parallel_for("last", range, Shift{c, d});
  });
  graph.submit();
  graph.submit();
  Kokkos::fence();
  return 0;
}
