// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two branches of a graph, each with a call of the host's in it, end in one View. The host's node waits for its own branch, and
// orders the other one no more than an edge would.
#include <Kokkos_Core.hpp>
#include <Kokkos_Graph.hpp>

struct Copy {
  Kokkos::View<int*> to, from;
  KOKKOS_FUNCTION void operator()(int i) const {
    to(i) = from(i);  // EXPECT: missing-fence
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  int const n = 500;
  Kokkos::View<int*> halo("halo", n), left("left", n), right("right", n), received[2] = {
      Kokkos::View<int*>("received from the left", n), Kokkos::View<int*>("received from the right", n)};
  Kokkos::RangePolicy<> const range(0, n);
#if KOKKOS_VERSION >= 50200
  Kokkos::Experimental::Graph graph;
  for (int side = 0; side != 2; ++side)
    graph.root_node()
        .then_parallel_for("transfer", range, Copy{received[side], side == 0 ? left : right})
        .then_host("say", [] {})
        .then_parallel_for("unpack", range, Copy{halo, received[side]});
  graph.instantiate();
  graph.submit();
#endif
  Kokkos::fence();
}
