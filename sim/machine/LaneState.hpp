// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One lane of a team in flight: what all see of it while it runs, and where it waits.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/Synchronisation.hpp"
#include "LaneResults.hpp"
#include "RunningLane.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace teamsan {

enum class LaneStatus : std::uint8_t { fresh, ready, at_team_meeting, at_thread_meeting, done };

/// Call of a throw.
struct ThrowPlace {
  Site site{};
  std::vector<Site> callers;
};

/// Where it waits, or waited last: at a meeting, and what it brought there (Meetings.cpp), or where it repeats itself (`site`).
struct LaneWait {
  Meeting meeting{};
  Site site{};
  void* value = nullptr;
};

/// Where a lane stands: what rules ask of those that do not run.
struct LaneStand {
  std::uint32_t index = 0;
  LaneStatus status{};
  Meeting meeting{};  ///< where it waits, or waited last
  Site site{};
};

/// Switches of lanes wait for the cache lines of these: what is rare is elsewhere.
struct LaneState : RunningLane {
  LaneStatus status{};
  LaneWait waits;
  std::unique_ptr<ThrowPlace> thrown;  ///< of the latest throw that was seen
  LaneResults results;                 ///< those that it was given, if it `holds` any

  void begin(std::uint64_t league_rank, LaneStatus as) {
    lane.league_rank = league_rank;
    status = as;
    stack = {};
    renew();
  }
  [[gnu::always_inline]] void renew() {
    static_cast<LaneMarks&>(*this) = {};
    if (thrown != nullptr) [[unlikely]] thrown = nullptr;
  }
};

}  // namespace teamsan
