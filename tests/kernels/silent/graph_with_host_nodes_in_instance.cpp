// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// As missing-fence/graph_branches_with_host_nodes_fixed, but for the instance that the graph is submitted in: it is not the one
// that nodes of the host fence.
#include <Kokkos_Core.hpp>
#include <Kokkos_Graph.hpp>

using Shared = Kokkos::View<int*, Kokkos::SharedSpace>;

struct Copy {
  Shared to, from;
  KOKKOS_FUNCTION void operator()(int i) const { to(i) = from(i) + 1; }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  int const n = 500;
  Shared const own("own", n), received[2] = {Shared("received from the left", n), Shared("received from the right", n)},
      halo[2] = {Shared("halo on the left", n), Shared("halo on the right", n)};
  auto const exec = Kokkos::Experimental::partition_space(Kokkos::DefaultExecutionSpace(), 1)[0];
  Kokkos::fence();
  Kokkos::RangePolicy<> const range(0, n);
  Kokkos::Experimental::Graph graph;
  int seen = 0;
  for (int side = 0; side != 2; ++side)
    graph.root_node()
        .then_parallel_for("transfer", range, Copy{received[side], own})
        .then_host("look", [&seen, of_side = received[side]] { seen += of_side(7); })
        .then_parallel_for("unpack", range, Copy{halo[side], received[side]});
  graph.instantiate();
  for (int step = 0; step != 2; ++step) {
    graph.submit(exec);
    exec.fence();
  }
  return seen != 4 || halo[1](n - 1) != 2;
}
