// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// exit and quick_exit as the program calls them. On a lane they are a finding, and the program ends as after a crash: its
/// exit handlers and static destructors are host code, and the lane may hold what they wait for.
#pragma once

namespace teamsan {

/// What the calling thread's lane asked for; `function` is nullptr: nothing.
struct EndByLane {
  char const* function = nullptr;
  int status = 0;
};
EndByLane end_asked_by_lane() noexcept;

/// Called before a function that ends the process, or replaces it, does so. Comes back where no lane called it, or one in a
/// process that a lane forked.
void end_by_lane(char const* function, int status) noexcept;

}  // namespace teamsan
