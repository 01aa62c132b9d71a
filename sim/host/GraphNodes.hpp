// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Nodes of a graph, as a backend runs them one after the other: edges alone order them, for missing-fence.
#pragma once

#include "../base/Api.hpp"

#include <cstdint>
#include <vector>

namespace teamsan {

/// A node runs while one of these lives. `before`: those that edges put before it, in one step.
class TEAMSAN_API GraphNodeScope {
 public:
  GraphNodeScope(void const* node, std::uint32_t instance, std::vector<void const*> const& before);
  ~GraphNodeScope();
  GraphNodeScope(GraphNodeScope const&) = delete;
  GraphNodeScope& operator=(GraphNodeScope const&) = delete;

 private:
  bool m_told;
};

}  // namespace teamsan
