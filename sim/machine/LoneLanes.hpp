// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What lanes that run one after the other share (LoneLanes.cpp). As new for each team.
#pragma once

#include "LaneState.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace teamsan {

struct LoneLanes {
  bool alone = false;             ///< lanes do: the team's own know nothing yet
  bool to_the_end = false;        ///< they did
  std::uint32_t in_one_call = 0;  ///< lanes before this one may run in the call of another (next_lane)
  std::uint64_t step = 0;         ///< of lanes that take steps
  std::byte* step_values = nullptr;    ///< and their values, on the running fiber's stack
  std::uint32_t stepped = 0;           ///< lanes that had taken the step when the team left it; and then
  std::vector<std::byte> left_values;  ///< their values. None: the team has not left any
  LaneState one{};                     ///< the running lane
};

}  // namespace teamsan
