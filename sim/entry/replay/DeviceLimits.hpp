// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What-if: would another device than the recorded one have taken the launches of a trace? The launch's geometry is the
/// recorded one; block sizes that Kokkos chooses by the device are those it chose then.
#pragma once

#include "../../base/LaunchConfig.hpp"
#include "../../../traces/TraceRecords.hpp"

namespace teamsan::trace {

/// Makes the `limit` findings of a launch that was made on the recorded device.
void check_limits(LaunchConfig const& config);

/// A launch that the recorded device refused: the finding for the device of the options, if that refuses it too.
void check_limit_again(traces::LimitRecord const& refused);

}  // namespace teamsan::trace
