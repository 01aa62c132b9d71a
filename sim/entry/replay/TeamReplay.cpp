// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TeamReplay.hpp"

#include "../../machine/RunningTeam.hpp"
#include "RecordedTeams.hpp"
#include "../../check/Access.hpp"

namespace teamsan::trace {

using namespace traces;

TeamReplay::TeamReplay(RecordedTeams& teams) : m_teams(teams), m_trace(teams.trace()) {}

void TeamReplay::begin(std::uint64_t launch, std::uint64_t league_rank, std::uint32_t lanes, Position first) {
  m_launch = launch;
  m_league_rank = league_rank;
  m_next = first;
  m_last_piece = false;
  m_decoder.begin();
  m_lanes.assign(lanes, {});
}

bool TeamReplay::decode(std::uint32_t& lane, Event& event) {
  try {
    if (++m_decoded == steps_at_once) {
      m_decoded = 0;
      m_trace.admission().spend(steps_at_once);
    }
    while (!m_decoder.next(lane, event)) {
      if (m_last_piece || !m_teams.read_piece(m_launch, m_league_rank, m_next, m_piece, m_last_piece)) return false;
      m_decoder.feed(m_piece);
    }
    if (lane >= m_lanes.size()) throw TraceError("a lane that its team does not have");
    return true;
  } catch (TraceError const& error) {
    m_trace.note_damage(error);
    return false;
  }
}

Event const* TeamReplay::peek(std::uint32_t lane) {
  RuntimeScope const scope;  // no step of the lane's
  LaneEvents& own = m_lanes[lane];
  if (m_trace.damaged()) return nullptr;
  while (own.waiting.empty()) {
    std::uint32_t whose = 0;
    Event event;
    if (!decode(whose, event)) return nullptr;
    m_lanes[whose].waiting.push_back(event);
  }
  return &own.waiting.front();
}

bool TeamReplay::take(EventKind kind, Event& event) {
  std::uint32_t const lane = hot.lane->lane.index;
  Event const* const next = peek(lane);
  if (next == nullptr || next->kind() != kind) return false;
  event = *next;
  m_lanes[lane].waiting.pop_front();
  return true;
}

bool TeamReplay::next(EventKind kind, Answer& answer) {
  Event event;
  if (!take(kind, event)) return false;
  answer = {event.operand, event.detail()};
  return true;
}

void TeamReplay::run_lane(RunningTeam& team, Lane const& lane) {
  LaneEvents& own = m_lanes[lane.index];
  Site site{};
  try {
    while (Event const* const next = peek(lane.index)) {
      Event const event = *next;
      own.waiting.pop_front();
      if (event.site() != Site{}) site = event.site();
      own.lane.carry_out(event, team, m_trace, m_decoder);
      if (own.lane.ended()) return;
    }
    if (!m_trace.damaged() && hot.lane->no_switch != 0) throw TraceError("a lane that holds up its team and does not end");
  } catch (TraceError const& error) {  // no exception of the kernel's
    m_trace.note_damage(error);
  }
  // The lane never ended: its team was given up.
  while (!m_trace.damaged()) spinning(site, true);
}

}  // namespace teamsan::trace
