// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What rules ask of lanes that do not run: where they stand, and where one threw.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/Synchronisation.hpp"

#include <cstdint>
#include <vector>

namespace teamsan {

enum class LaneStatus : std::uint8_t { fresh, ready, at_team_meeting, at_thread_meeting, done };

/// Call of a throw.
struct ThrowPlace {
  Site site{};
  std::vector<Site> callers;
};

struct LaneStand {
  std::uint32_t index = 0;
  LaneStatus status{};
  Meeting meeting{};  ///< where it waits, or waited last
  Site site{};
};

}  // namespace teamsan
