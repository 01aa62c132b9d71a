// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A work graph: each item adds up what the items before it left. Nothing but the graph's edges orders them.
#include <Kokkos_Core.hpp>

#include <vector>

using Policy = Kokkos::WorkGraphPolicy<int, Kokkos::DefaultExecutionSpace>;
using Graph = Policy::graph_type;

template <class View>
void fill(View const& view, std::vector<int> const& values) {
  auto host = Kokkos::create_mirror_view(view);
  for (std::size_t i = 0; i < values.size(); ++i) host(i) = values[i];
  Kokkos::deep_copy(view, host);
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  bool right = true;
  for (int const items : {50, 300, 1000}) {
    // A tree: item i comes before parent(i) < i.
    auto const parent = KOKKOS_LAMBDA(int i) { return static_cast<int>(i * 2654435761u >> 8) % i; };
    std::vector<int> rows(items + 1), edges;
    for (int i = 0; i < items; ++i) {
      if (i > 0) edges.push_back(parent(i));
      rows[i + 1] = static_cast<int>(edges.size());
    }
    Graph graph;
    graph.row_map = Graph::row_map_type("rows", rows.size());
    graph.entries = Graph::entries_type("edges", edges.size());
    fill(graph.row_map, rows);
    fill(graph.entries, edges);
    Kokkos::View<long*> sum("sum", items);
    Kokkos::parallel_for(
        "tree", Policy(graph), KOKKOS_LAMBDA(int i) {
          sum(i) += 1;
          for (int child = i + 1; child < items; ++child)
            if (parent(child) == i) sum(i) += sum(child);
        });
    auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sum);
    right &= host(0) == items;
  }
  return right ? 0 : 1;
}
