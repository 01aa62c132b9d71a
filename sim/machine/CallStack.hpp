/// The running lane's way into the function it is in.
#pragma once

#include <cstdint>
#include <vector>

namespace teamsan {

struct LaneState;

/// Call sites, innermost first, at most 16; empty on host threads.
std::vector<std::uintptr_t> call_stack();

/// The same of a lane of this worker's team that has begun and not ended, such as one that waits.
std::vector<std::uintptr_t> call_stack(LaneState const& lane);

}  // namespace teamsan
