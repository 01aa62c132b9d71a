// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One lane of a team in flight: what all see of it while it runs, and where it waits.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/Synchronisation.hpp"
#include "LaneResults.hpp"
#include "LaneStand.hpp"
#include "RunningLane.hpp"

#include <cstdint>
#include <memory>

namespace teamsan {

/// Where it waits, or waited last: at a meeting, and what it brought there (Meetings.cpp), or where it repeats itself (`site`).
struct LaneWait {
  Meeting meeting{};
  Site site{};
  void* value = nullptr;
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
