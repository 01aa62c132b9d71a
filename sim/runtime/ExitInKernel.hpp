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

}  // namespace teamsan
