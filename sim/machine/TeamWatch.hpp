// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is counted and recorded of a team besides the checks. As new for each team.
#pragma once

#include "../trace/TeamTrace.hpp"

#include <cstdint>

namespace teamsan {

struct TeamWatch {
  bool owned = true;            ///< this shard checks what is found within the team
  bool weighed = false;         ///< its accesses are counted (LaunchWeight.hpp)
  std::uint64_t accesses = 0;   ///< so many so far
  bool counts_warps = false;    ///< for the machine model (WarpLog.hpp)
  bool traced = false;          ///< they are recorded
  bool logged = false;          ///< one of the two
  trace::TeamRecording recording;
};

}  // namespace teamsan
