// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the machine tells of warps, for launches whose memory traffic is counted (TeamWatch::counts_warps). Declared here and
/// defined above, in detect/TrafficCounter.cpp.
#pragma once

#include "../base/Lane.hpp"

#include <cstdint>

namespace teamsan {

class Team;
struct WarpRecord;

namespace events {

/// The team is about to begin: its warps are counted.
void warps_begin(Team& team);
/// Lanes of the warp have made this access together, between two synchronisations of the warp.
void warp_accessed(Team& team, WarpRecord const& record, std::uint32_t warp);
/// Before, for all of these accesses, if lanes are missing in some of them; and once they have been told.
void warp_will_access(Team& team, WarpRecord const& record);
void warp_window_ended(Team& team);
/// All lanes of the team have met at a construct, or its first one ends the kernel with a value.
void construct_met(Team& team, Meeting meeting, Join join);

}  // namespace events
}  // namespace teamsan
