// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Lanes of a team or of a thread meet: who waits, who goes on, and what the meeting combines. What it orders: Stamps.cpp.
#include "RunningTeam.hpp"

#include "../base/Assert.hpp"
#include "../base/Synchronisation.hpp"
#include "../places/Sites.hpp"
#include "../trace/TeamTrace.hpp"
#include "Scopes.hpp"
#include "WarpEvents.hpp"

#include <algorithm>
#include <iterator>

namespace teamsan {

void RunningTeam::meet_team(Meeting meeting, void* value, Combine combine, void const* context, Site site) {
  leave_alone();
  LaneState& lane = running_lane();
  lane.waits = {meeting, site, value};
  lane.status = LaneStatus::at_team_meeting;
  lane.fences = 0;
  m_turns.erase(lane.lane.index);
  m_meetings.combine = combine;
  m_meetings.context = context;
  if (m_meetings.at_team == 0) {
    m_meetings.meeting = meeting;
    m_meetings.site = site;
    m_meetings.mixed = false;
  } else {
    m_meetings.mixed |= meeting != m_meetings.meeting || site != m_meetings.site;
  }
  if (++m_meetings.at_team == m_alive) {
    complete_team_meeting(&lane);
    LaneState& first = m_lanes[m_turns.first()];
    let_run(first);
  } else {
    wait(lane);
  }
}

void RunningTeam::complete_team_meeting(LaneState* last) {
  bool const whole = (!m_meetings.mixed && m_alive == m_count) || events::team_waits(*this);
  if (last != nullptr) settle_stores();  // they belong to the interval that ends
  if (whole && m_meetings.combine != nullptr && last != nullptr) {
    m_meetings.values.resize(m_count);
    for (LaneState const& l : m_lanes) m_meetings.values[l.lane.index] = l.waits.value;
    UncheckedScope const scope;
    m_meetings.combine(m_meetings.values.data(), m_count, m_meetings.context);
  }
  Synchronisation const& row = synchronisation(m_meetings.meeting);
  if (whole)
    release_team(row.under(m_clock.sync), row.cuda);
  else
    release_team(Order::team, Order::team);  // lanes that are apart have their finding
}

void RunningTeam::end_barrier_interval() {
  if (m_due.reads) {
    end_interval();
    refresh_index();
  }
  m_clock.last_barrier = m_meetings.site;
  ++m_clock.interval;
}

void RunningTeam::release_team(Order order, Order on_cuda) {
  if (m_watch.counts_warps) {
    count_all_warps();
    events::construct_met(*this, m_meetings.meeting, m_meetings.join);
  }
  if (order == Order::team) end_barrier_interval();
  for (LaneState& l : m_lanes)
    if (l.status == LaneStatus::at_team_meeting) {
      l.status = LaneStatus::ready;
      m_turns.insert(l.lane.index);
    }
  m_meetings.at_team = 0;
  m_patience.spun = 0;
  m_patience.progress = true;
  order_team(order, on_cuda);
}

[[gnu::always_inline]] inline void RunningTeam::meet_thread(Meeting meeting, void* value, Combine combine, void const* context,
                                                            Site site) {
  std::uint32_t const width = hot.lane->lane.vector_length;
  // Teams' values are joined behind the kernel's end, where they do not meet here.
  if (meeting == Meeting::kernel_end && m_watch.counts_warps && hot.lane->lane.index == 0)
    events::construct_met(*this, meeting, m_meetings.join);
  if (width == 1) {
    UncheckedScope const scope;
    if (combine != nullptr) combine(&value, 1, context);
    return;
  }
  if (m_lone.alone) [[unlikely]]
    leave_alone();
  LaneState& lane = running_lane();
  lane.waits = {meeting, site, value};
  lane.status = LaneStatus::at_thread_meeting;
  lane.fences = 0;
  m_turns.erase(lane.lane.index);
  if (++m_meetings.at_thread[lane.lane.thread] != width)
    wait(lane);
  else
    complete_thread_meeting(lane, combine, context);
}

/// All lanes of that one's thread have come, it last.
void RunningTeam::complete_thread_meeting(LaneState& last, Combine combine, void const* context) {
  std::uint32_t const width = last.lane.vector_length, thread = last.lane.thread;
  Meeting const meeting = last.waits.meeting;
  LaneState* const lanes = &m_lanes[std::size_t{thread} * width];
  settle_stores();
  void* values[64];
  TEAMSAN_ASSERT(width <= std::size(values));
  bool alike = true;  // mostly all come from one place
  for (std::uint32_t i = 0; i != width; ++i) {
    LaneWait const& waits = lanes[i].waits;
    alike = alike && waits.site == last.waits.site && waits.meeting == meeting;
    values[i] = waits.value;
  }
  bool const whole = alike || events::thread_waits(*this, thread);
  if (whole && combine != nullptr) {
    UncheckedScope const scope;
    combine(values, width, context);
  }
  Synchronisation const& row = synchronisation(meeting);
  release_thread(thread, whole ? row.under(m_clock.sync) : Order::thread, row.cuda);
  // The thread goes on with its first lane, as it would have without the meeting.
  let_run(m_lanes[m_turns.first_of(thread * width, width)]);
}

void RunningTeam::release_thread(std::uint32_t thread, Order order, Order on_cuda) {
  std::uint32_t const width = m_lanes[0].lane.vector_length;
  for (std::uint32_t i = 0; i != width; ++i) {
    LaneState& l = m_lanes[std::size_t{thread} * width + i];
    if (l.status != LaneStatus::at_thread_meeting) continue;
    l.status = LaneStatus::ready;
    m_turns.insert(l.lane.index);
  }
  if (m_watch.counts_warps && width == m_warp_log->width()) count_warp(thread);
  m_meetings.at_thread[thread] = 0;
  m_patience.spun = 0;
  m_patience.progress = true;
  order_thread(thread, order, on_cuda);
}

LaneState* RunningTeam::when_stuck() {
  if (m_alive == 0) return nullptr;
  // Nobody can run, yet not all wait at one team meeting: some thread's lanes are apart.
  for (std::uint32_t t = 0; t != m_meetings.at_thread.size(); ++t)
    if (m_meetings.at_thread[t] != 0) {
      events::thread_apart(*this, t);
      release_thread(t, Order::thread, Order::thread);
    }
  std::uint32_t const first = m_turns.first();
  if (first != LaneTurns::none) return &m_lanes[first];
  events::team_waits(*this);
  release_team(Order::team, Order::team);
  return &m_lanes[m_turns.first()];
}

// ---- what a backend calls ------------------------------------------------------------------------------------------

namespace {
/// Synchronisation.def's, by Meeting: each lane asks.
constexpr Meets meets_at[] = {
#define TEAMSAN_MEETING(name, meets, ...) Meets::meets,
#include "../base/Synchronisation.def"
#undef TEAMSAN_MEETING
};
}  // namespace

void meet(Meeting meeting, void* value, Combine combine, void const* context, void const* site, Join join) {
  Meets const meets = meets_at[static_cast<unsigned>(meeting)];
  if (meets == Meets::nobody) return;
  Site const at = site_at(site != nullptr ? site : __builtin_return_address(0));
  RuntimeScope const scope;
  RunningTeam& team = running_team();
  team.settle_volatile_load();
  trace::note(trace::EventKind::meet, at, static_cast<unsigned>(join), static_cast<unsigned>(meeting));
  if (std::uint32_t const inside = hot.lane->scopes; (inside & scopes::apart) != 0) [[unlikely]] {
    events::met_inside(team, inside, meeting, at);
    // A collective of the team called where only one lane runs cannot be waited for: the finding stands for it.
    if (inside & scopes::single) return;
  }
  team.note_join(join);
  if (meets == Meets::team)
    team.meet_team(meeting, value, combine, context, at);
  else
    team.meet_thread(meeting, value, combine, context, at);
}

}  // namespace teamsan
