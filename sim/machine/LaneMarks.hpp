// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a lane begins with none of, and what it does then says of it: cleared for each of very many, all at once, by lanes that
/// begin in line, too (entry/pass/Abi.h).
#pragma once

#include "../../traces/Site.hpp"
#include "../memory/Cell.hpp"

#include <cstdint>

namespace teamsan {

/// Through a pointer to volatile.
struct VolatileLoad {
  std::uintptr_t address = 0;  ///< 0: none
  Site site{};
  std::uint64_t log_bytes = 0;
};

/// What a lane may hold that others do not, or that all lanes of its team were given; bits of LaneMarks::holds.
namespace holds {
constexpr std::uint8_t lane_value = 1;    ///< a vector range has left something of its own in variables of the lane
constexpr std::uint8_t thread_value = 2;  ///< so has a range of the team's threads, or the lane asked which thread it is
constexpr std::uint8_t result = 4;        ///< a collective has given it a result
}  // namespace holds

/// Where a lane stands between its own releases, acquires and fences (Stamps.cpp).
struct LaneMoment {
  Who event = 0;             ///< stamp since its latest release, acquire or fence; older than a meeting's: that counts
  std::uint32_t fence = 0;   ///< tick behind its latest fence; 0: none
  std::uint32_t fences = 0;  ///< since it last met, released or acquired
};

/// What it is inside of, and what it was given.
struct LaneSituation {
  std::uint8_t no_switch = 0;   ///< > 0: inside a lock-based atomic
  bool storing_result = false;  ///< inside a ResultScope
  std::uint8_t noted = 0;       ///< of its atomics, see detect/Handovers.hpp
  std::uint8_t holds = 0;       ///< see namespace holds
  std::uint32_t scopes = 0;     ///< bit per Scope the lane is inside of
};

struct LaneMarks : LaneSituation, LaneMoment {
  std::uint32_t strays = 0;    ///< accesses out of bounds
  VolatileLoad volatile_load;  ///< the latest that may have seen more than the lane acquired by then
};

}  // namespace teamsan
