// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The running lane's way into the function it is in.
#pragma once

#include "../../traces/Site.hpp"

#include <cstdint>
#include <vector>

namespace teamsan {

struct RunningLane;

/// Call sites, innermost first; empty on host threads. Of very many, the middle is left out.
std::vector<Site> call_stack();

/// Is that the running lane's?
bool is_call_stack(std::vector<Site> const& calls);

/// The running lane goes into a function that was called there, and leaves it: for constructs of a backend, which are not
/// instrumented.
void enter_call(Site site);
void leave_call();

/// The same of a lane of this worker's team that has begun and not ended, such as one that waits.
std::vector<Site> call_stack(RunningLane const& lane);

}  // namespace teamsan
