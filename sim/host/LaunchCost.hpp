// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a launch costs, in tenths of nanoseconds of one worker as bench/ratios has measured the like: counted by lanes and
/// accesses, never timed, so that what is chosen by it is the same every time. Only ratios of these figures matter.
#pragma once

#include "../base/Lane.hpp"
#include "../base/LaunchConfig.hpp"

#include <cstdint>

namespace teamsan {

/// Accesses of each lane of a kernel, as they were counted in a launch of it before.
struct CountedAccesses {
  std::uint64_t accesses = 4, lanes = 1;  ///< what is assumed of a kernel of which nothing was counted

  std::uint64_t of(std::uint64_t all_lanes) const {
    return static_cast<std::uint64_t>(static_cast<double>(all_lanes) * static_cast<double>(accesses) /
                                      static_cast<double>(lanes));
  }
};

inline std::uint64_t lanes_of(LaunchConfig const& c) { return c.league_size * c.team_size * c.vector_length; }

/// What runs of a launch that is not checked: the bodies that checked ones run, or plain ones, lane by lane or as the kernel's
/// own loop.
enum class Unchecked : std::uint8_t { as_checked, lane_by_lane, loop };
Unchecked unchecked_run(PlainBodies const& plain, void const* kernel);

/// Of the launch unchecked.
std::uint64_t plain_cost(LaunchConfig const& config, CountedAccesses const& of_lane, Unchecked run);

/// What checking it adds, where that finds something so often.
std::uint64_t checking_cost(LaunchConfig const& config, CountedAccesses const& of_lane, Unchecked run, std::uint64_t found = 0);

}  // namespace teamsan
