// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a team leaves behind.
#pragma once

#include "../memory/TeamShadow.hpp"
#include "../trace/TeamTrace.hpp"
#include "TeamNotes.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace teamsan {

/// What a team leaves behind for its commit.
struct TeamResult {
  std::uint64_t league_rank = 0;
  bool checked = false;
  std::unique_ptr<TeamShadow> shadow;
  events::TeamFindings found;
  std::vector<std::string> output;  ///< what lane i printed to standard output; empty: none printed
  trace::TeamRecording recording;
  std::optional<std::vector<std::uint32_t>> left = {};  ///< lines of the shadow that were not joined early; nothing: none was
};

}  // namespace teamsan
