// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What orders a team's lanes (Stamps.cpp): ticks and stamps, as meetings, fences and atomics advance them. As new for a team.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/Synchronisation.hpp"
#include "../memory/Cell.hpp"
#include "AtomicOrder.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace teamsan {

/// A meeting that was passed, and where.
struct MeetingPlace {
  Meeting meeting{};
  Site site{};
};

/// Stamps of a thread's latest meetings: of one that ordered all accesses, one that ordered reads, one that orders on
/// CUDA. Each is at least the one before; under --sync cuda they are equal.
struct ThreadStamps {
  Who writes, reads, cuda;
  MeetingPlace passed;  ///< the latest that orders on CUDA
};

/// Lanes of that thread have met; what they do from then on has this stamp, or a later one.
struct ThreadMeeting {
  std::uint32_t thread;
  Who stamp;
};

struct LaneClock {
  Sync sync = Sync::cuda;
  std::uint32_t tick = 1;
  Who floor = who::first_stamp;
  Who cuda_floor = who::first_stamp;  ///< the floor as the CUDA backend's barriers make it; `floor` or later
  MeetingPlace cuda_passed;
  std::uint64_t interval = 0;
  Site last_barrier{};

  AtomicOrder::Log* order_log = nullptr;  ///< nullptr: the team has released and acquired nothing
  std::uint32_t fence = 0;                ///< tick behind the latest fence of any lane
  std::uint32_t fence_met = 0;            ///< of those before the last barrier
  bool acquired = false;                  ///< since the last barrier
  bool signals = false;                   ///< see RunningTeam::note_signal

  std::vector<ThreadStamps> threads;
  std::vector<ThreadMeeting> thread_meetings;

  /// Of a team that begins: nothing was done. The vectors keep their room, and `threads` what they were, as renew_threads has
  /// left them: very many teams' threads never meet.
  void renew(Sync how, std::uint32_t first_tick) {
    LaneClock fresh;
    fresh.sync = how;
    fresh.tick = first_tick;
    fresh.floor = fresh.cuda_floor = first_tick << who::stamp_shift;
    fresh.threads = std::move(threads);
    fresh.thread_meetings = std::move(thread_meetings);
    fresh.thread_meetings.clear();
    *this = std::move(fresh);
  }
  void renew_threads(std::uint32_t count) { threads.assign(count, {floor, floor, floor, {}}); }
};

}  // namespace teamsan
