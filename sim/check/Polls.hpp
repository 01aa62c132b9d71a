// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which atomic loads are a sign of waiting.
#pragma once

#include "../machine/RunningTeam.hpp"
#include "../machine/Spinning.hpp"
#include "../trace/TeamTrace.hpp"

#include <bit>
#include <cstdint>

namespace teamsan {

/// A lane that loads the same word by the same instruction again and again, and finds there what it found, waits.
struct Poll {
  void const volatile* p = nullptr;
  Site site{};
  std::uint64_t value = 0;
  RunningLane const* lane = nullptr;
  std::uint64_t launch_that_waits = 0;  ///< in which it, or one before it, has done so for long
  unsigned times = 0;
  bool waits = false;  ///< it let others run for that
};
inline thread_local constinit Poll latest_poll;

/// It has done so for long. Where other workers get on meanwhile, whom its team waits for, that is the second time, and the
/// first where the lane before it waits at the same instruction: of what they do nothing is to be seen but in another turn.
inline bool polls_for_long(void const volatile* p, std::uint64_t value, Site site) {
  constexpr unsigned many = 100, some = 4;
  if (hot.lane == nullptr || hot.in_runtime != 0 || hot.team->launch().workers <= 1) return false;
  Poll& poll = latest_poll;
  std::uint64_t const launch = hot.team->launch().facts.number;
  bool const is_known_to_wait = poll.launch_that_waits == launch, waits = running_team().waits_for_others();
  if (poll.p != p || poll.site != site || poll.value != value || poll.lane != hot.lane) {
    bool const as_the_one_before =
        waits && poll.waits && poll.lane != hot.lane && poll.site == site && poll.value == value;
    poll = {p, site, value, hot.lane, poll.launch_that_waits, 0, as_the_one_before};
    return as_the_one_before;
  }
  if (++poll.times < (waits ? 1 : is_known_to_wait ? some : many)) return false;
  poll.times = 0;
  poll.waits = true;
  poll.launch_that_waits = launch;
  return true;
}

/// It lets others run. One that does more than to load the word, and so gets on, waits for more than that.
template <class T>
void let_others_run(T const volatile* p, T value, Site site) {
  trace::note(trace::EventKind::yield, site);  // a replay has one worker
  auto const address = reinterpret_cast<std::uintptr_t>(p);
  if constexpr (sizeof(T) <= 8)
    if (running_team().spun() != 0)
      return polling(site, {address, static_cast<std::uint64_t>(value), std::countr_zero(sizeof(T))});
  spinning(site, true);
}

}  // namespace teamsan
