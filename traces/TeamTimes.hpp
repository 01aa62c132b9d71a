// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// When a team's lanes did what, on a clock of steps: the trace has no time, since a simulated GPU has none. Each event
/// of a lane is a step; the lanes of a warp step together; where the team meets, all warps go on when the last has
/// come.
#pragma once

#include "TraceRecords.hpp"
#include "Event.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace teamsan::traces {

/// What one warp did between two meetings of its team.
struct IntervalTime {
  std::uint32_t warp = 0;
  std::uint64_t interval = 0;
  std::uint64_t begin = 0, end = 0;  ///< steps from the team's beginning
};

class TeamTimes {
 public:
  /// A team of so many lanes begins.
  void begin(RunRecord const& run, std::uint32_t lanes) {
    m_run = &run;
    m_lanes.assign(lanes, {});
    m_done.clear();
    m_now = m_interval = 0;
  }

  std::uint64_t interval_of(std::uint32_t lane) const { return m_lanes[lane].interval; }

  /// f(interval) for each interval that is over by this event, whose lanes are all through.
  template <class F>
  void step(std::uint32_t lane, Event const& event, F f) {
    Lane& l = m_lanes[lane];
    while (l.interval > m_interval) end_interval(f);
    ++l.steps;
    if (event.kind() == EventKind::end) {
      note(lane);
      l.steps = 0;
    }
    if (event.kind() != EventKind::meet || !m_run->is_team_meeting(event.detail())) return;
    note(lane);
    ++l.interval;
    l.steps = 0;
  }

  /// The team is done.
  template <class F>
  void end(F f) {
    for (std::uint32_t lane = 0; lane != m_lanes.size(); ++lane)
      if (m_lanes[lane].steps != 0) note(lane);
    while (!m_done.empty()) end_interval(f);
  }

  std::uint64_t now() const { return m_now; }

 private:
  struct Lane {
    std::uint64_t interval = 0, steps = 0;
  };
  void note(std::uint32_t lane) {
    // A lane that was given up may have stayed behind.
    std::uint64_t const interval = std::max(m_lanes[lane].interval, m_interval);
    std::uint32_t const warp = lane / m_run->warp_width;
    for (IntervalTime& t : m_done)
      if (t.warp == warp && t.interval == interval) {
        t.end = std::max(t.end, m_lanes[lane].steps);
        return;
      }
    m_done.push_back({warp, interval, 0, m_lanes[lane].steps});
  }
  template <class F>
  void end_interval(F f) {
    std::uint64_t longest = 0;
    for (IntervalTime t : m_done) {
      if (t.interval != m_interval) continue;
      longest = std::max(longest, t.end);
      t.begin = m_now;
      t.end += m_now;
      f(t);
    }
    std::erase_if(m_done, [&](IntervalTime const& t) { return t.interval == m_interval; });
    m_now += longest;
    ++m_interval;
  }

  RunRecord const* m_run = nullptr;
  std::vector<Lane> m_lanes;
  std::vector<IntervalTime> m_done;  ///< lengths, until their interval is over
  std::uint64_t m_now = 0, m_interval = 0;
};

}  // namespace teamsan::traces
