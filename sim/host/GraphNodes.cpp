// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "GraphNodes.hpp"

#include "../detect/MissingFence.hpp"
#include "../trace/Mode.hpp"

namespace teamsan {

// A trace does not know them.
GraphNodeScope::GraphNodeScope(void const* node, std::uint32_t instance, std::vector<void const*> const& before)
    : m_told(!trace::recording()) {
  if (m_told) detect::begin_node(node, instance, before);
}

GraphNodeScope::~GraphNodeScope() {
  if (m_told) detect::end_node();
}

}  // namespace teamsan
