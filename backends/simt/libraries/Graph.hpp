// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Graphs on the simulated GPU: Kokkos' own nodes run one after the other, as it runs them, and each says which edges lead to
/// it (sim/host/GraphNodes.hpp). The overlay reads this after Kokkos_Graph.hpp. Of Kokkos before 5.2, whose nodes are made
/// otherwise, nothing is said: all nodes of an instance are in order there.
#pragma once

#include "../Fwd.hpp"

#include "../../../sim/host/GraphNodes.hpp"
#include "../tools/Tools.hpp"

#include <Kokkos_Graph.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#if KOKKOS_VERSION >= 50200
namespace Kokkos::Impl {

/// As Kokkos' own (impl/Kokkos_Default_GraphNode_Impl.hpp), but for the scope around the kernel.
template <>
struct GraphNodeBackendSpecificDetails<teamsan::Simt> {
 protected:
  explicit GraphNodeBackendSpecificDetails() = default;
  explicit GraphNodeBackendSpecificDetails(_graph_node_is_root_ctor_tag) noexcept : m_has_executed(true), m_is_root(true) {}
  GraphNodeBackendSpecificDetails(GraphNodeBackendSpecificDetails const&) = delete;
  GraphNodeBackendSpecificDetails& operator=(GraphNodeBackendSpecificDetails const&) = delete;
  ~GraphNodeBackendSpecificDetails() = default;

 public:
  void set_kernel(GraphNodeKernelDefaultImpl<teamsan::Simt>& kernel) { m_kernel = &kernel; }
  void set_kernel(GraphNodeAggregateDefaultImpl<teamsan::Simt>& kernel) {
    m_kernel = &kernel;
    m_is_aggregate = true;
  }

  /// All but the root may be waited for.
  bool awaitable() const { return !m_is_root; }
  std::uint64_t number() const { return m_number; }
  teamsan::Simt const& get_execution_space() const { return m_kernel->m_execution_space; }

  void set_predecessor(std::shared_ptr<GraphNodeBackendSpecificDetails> predecessor) {
    KOKKOS_EXPECTS(m_predecessors.empty() || m_is_aggregate)
    m_predecessors.push_back(std::move(predecessor));
  }

  void execute_node(teamsan::Simt const& space) {
    if (std::exchange(m_has_executed, true)) return;
    std::vector<void const*> before;
    for (auto const& predecessor : m_predecessors) {
      predecessor->execute_node(space);
      before.push_back(predecessor.get());
    }
    for (auto const& predecessor : m_predecessors)
      if (predecessor->awaitable() && predecessor->get_execution_space() != get_execution_space())
        predecessor->get_execution_space().fence("Kokkos::DefaultGraphNode::execute_node: sync with predecessors");
    // On a GPU all nodes run where the graph is submitted, whichever instance their policies name.
    teamsan::GraphNodeScope const scope(this, space.impl_instance_id(), before);
    teamsan::simt::take_kernel_name();  // a node has no begin event, and an initialisation by memset had one
    m_kernel->execute_kernel();
  }

  void reset_has_executed() {
    for (auto const& predecessor : m_predecessors) predecessor->reset_has_executed();
    m_has_executed = m_is_root;
  }

 private:
  std::vector<std::shared_ptr<GraphNodeBackendSpecificDetails>> m_predecessors;
  GraphNodeKernelDefaultImpl<teamsan::Simt>* m_kernel = nullptr;
  bool m_has_executed = false, m_is_aggregate = false, m_is_root = false;
  std::uint64_t const m_number = next_number.fetch_add(1, std::memory_order_relaxed);  ///< as they were made
  static inline std::atomic<std::uint64_t> next_number{0};
};

}  // namespace Kokkos::Impl

/// Kokkos keeps the nodes that none follows in a set, and runs them as they lie there: as they were made, and not as the heap
/// has it, so that reports are the same in each run.
template <>
struct std::less<std::shared_ptr<Kokkos::Impl::GraphNodeBackendSpecificDetails<teamsan::Simt>>> {
  using Node = std::shared_ptr<Kokkos::Impl::GraphNodeBackendSpecificDetails<teamsan::Simt>>;
  bool operator()(Node const& a, Node const& b) const { return a->number() < b->number(); }
};
#endif
