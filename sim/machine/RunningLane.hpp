// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What all rooms see of the lane that runs (`hot.lane`): which one it is, what it has done that its team, or a rule, goes by,
/// and where it runs. Where it waits is for the machine alone (LaneState.hpp).
#pragma once

#include "../base/Lane.hpp"
#include "LaneMarks.hpp"
#include "LaneStack.hpp"

namespace teamsan {

/// Only as part of a LaneState.
struct RunningLane : LaneMarks {
  Lane lane{};
  LaneStack stack;
};

}  // namespace teamsan
