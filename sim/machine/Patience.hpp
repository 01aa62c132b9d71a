// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How lanes of a team get on, or wait in vain. As new for each team.
#pragma once

#include <cstdint>

namespace teamsan {

/// Why a lane lets others run, and what each repetition counts towards a deadlock: a repeated atomic access is a sign of
/// waiting, repeated plain reads are mostly a computation's, and of accesses that are not checked nothing is known.
enum class Repetition : std::uint8_t { unseen = 0, plain = 1, atomic = 40 };

struct Patience {
  std::uint64_t yields = 0;  ///< since the team was resumed, or last left
  std::uint64_t spun = 0;    ///< what the lanes spun through since one of them last got on, in repeated accesses
  std::uint32_t turns = 0;   ///< in which its lanes waited for what other workers do
  std::uint32_t lanes = 0;   ///< so many of them, and one, may come to wait in one such turn
  std::uint64_t spun_in_turn = 0;  ///< in the latest turn, if nobody got on
  bool progress = false;     ///< since the team was resumed
  bool waits = false;        ///< the lane that ran last repeated atomics
  bool briefly = false;      ///< see RunningTeam::resume
  bool ran_away = false;     ///< a lane did
};

}  // namespace teamsan
