// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RunningTeam.hpp"

#include "../base/Assert.hpp"
#include "../base/Options.hpp"
#include "../base/Shard.hpp"
#include "../findings/Collector.hpp"
#include "../findings/TextLayout.hpp"
#include "Commit.hpp"
#include "FunctorCopy.hpp"
#include "RememberedLaunches.hpp"
#include "WarpEvents.hpp"
#include "../memory/FlatShadow.hpp"
#include "../memory/FlatTable.hpp"
#include "../memory/LaneHeap.hpp"
#include "../trace/Fields.hpp"
#include "../trace/Recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace teamsan {

namespace {
/// Repeated accesses between two yields once a lane is known to spin, and rounds of yields before other teams get a turn.
constexpr std::int32_t spinning_slice = 1000;
/// Of the values of lanes that take their steps one after the other.
constexpr std::size_t most_step_bytes = 8192;
constexpr std::uint64_t rounds = 4;
}  // namespace

void RunningTeam::begin(LaunchState const& launch, std::uint64_t league_rank, std::uint32_t scratch_slot,
                        std::uint64_t blocks_end) {
  LaunchConfig const& c = launch.facts.config;
  bool const as_before = m_launch != nullptr && m_count == c.team_size * c.vector_length && !m_lanes.empty() &&
                         m_lanes[0].lane.vector_length == c.vector_length && m_lanes[0].lane.league_size == c.league_size &&
                         m_lanes[0].lane.folded == launch.folded;
  m_launch = &launch;
  m_league_rank = league_rank;
  m_blocks_end = blocks_end;
  m_count = c.team_size * c.vector_length;
  m_checked = blocks_end == 0 && launch.checks_team(league_rank);
  if (launch.script != nullptr)
    m_checked = m_checked && launch.script->begin_team(launch.facts.number, league_rank, m_count, m_script);

  begin_lanes(as_before);
  m_meetings.renew();
  m_clock.renew(sync_mode(), first_tick());
  if (std::exchange(m_threads_met, !m_lone.alone) || m_clock.threads.size() != c.team_size) {
    m_meetings.at_thread.assign(c.team_size, 0);
    m_clock.renew_threads(c.team_size);
  }
  m_patience = {};
  m_polls.begin_team();
  m_decision = {};
  m_due = {};

  m_scratch.reset(scratch_slot, launch.script == nullptr);
  if (!m_shadow) m_shadow = std::make_unique<TeamShadow>();
  m_shadow->reset(launch.epoch, launch.context);
  m_flat = m_checked && launch.is_flat;
  m_first_lane = static_cast<std::uint32_t>(league_rank * m_count);
  if (m_flat) FlatTable::of_this_thread().begin_team(launch.facts.number, league_rank == 0 && c.league_size != 1);
  functor_copy = {};
  m_output.clear();

  begin_watch();
  events::team_begins(*this);
  if (m_watch.counts_warps) events::warps_begin(*this);
}

/// `as_before`: the team before it had as many, of the same shape.
void RunningTeam::begin_lanes(bool as_before) {
  LaunchState const& launch = *m_launch;
  LaunchConfig const& c = launch.facts.config;
  m_exceptions = &ExceptionState::of_this_thread();  // a worker may go on with what another thread has left
  m_function = m_checked || launch.plain.lane == nullptr ? launch.function : launch.plain.lane;
  if (!as_before) {
    m_lanes.resize(m_count);
    for (std::uint32_t i = 0; i != m_count; ++i)
      m_lanes[i].lane = {
          0, c.league_size, i / c.vector_length, c.team_size, i % c.vector_length, c.vector_length, i, launch.folded};
  }
  // Lanes of a range never meet but at the end.
  bool const watched = trace::recording() || launch.script != nullptr;
  bool const fits = launch.steps == nullptr || m_count * launch.steps->value_bytes <= most_step_bytes;
  m_lone = {};
  m_lone.alone = (c.is_range() && c.vector_length == 1 && launch.order == nullptr && !watched && fits) || m_blocks_end != 0;
  if (m_lone.alone) {
    m_lone.one.lane = {m_league_rank, c.league_size, 0, c.team_size, 0, c.vector_length, 0};
    m_lanes[0].status = LaneStatus::fresh;
  } else {
    for (LaneState& l : m_lanes) l.begin(m_league_rank, LaneStatus::fresh);
  }
  m_turns.begin(m_count, launch.order);
  m_alive = m_count;
  m_last = nullptr;
}

void RunningTeam::note_lane_accesses(LaneAccesses const& of_lanes) {
  LaunchState const& l = *m_launch;
  if (m_league_rank != 0 || !l.may_be_decided || l.is_decided) return;
  Indices const& indices = l.facts.config.indices;
  LaneRows const* const known = l.remembered != nullptr ? l.remembered->find(l.kernel, indices, l.context) : nullptr;
  LaneLooks* const looks = l.remembered != nullptr ? &l.remembered->looks() : nullptr;
  std::optional<LaneRows> rows =
      known != nullptr ? *known : LaneRows::of(of_lanes, indices, l.context, m_decision.why_checked, looks);
  if (!rows) return;
  if (known == nullptr && l.remembered != nullptr)
    l.remembered->keep(*rows, of_lanes, l.kernel, l.kernel_bytes, indices, l.context);
  if (std::optional<DecidedLaunch> decided = DecidedLaunch::of(*rows, m_decision.why_checked))
    m_decision.decided = {std::move(*rows), std::move(*decided)};
}

bool RunningTeam::fits_flat() { return m_clock.tick == first_tick() && fits_flat_in_steps(); }

bool RunningTeam::fits_flat_in_steps() {
  return m_lone.to_the_end && !m_clock.signals && m_clock.fence == 0 && m_clock.order_log == nullptr &&
         m_shadow->is_plain(m_launch->flat) && events::handed_nothing_over(*this);
}

bool RunningTeam::found_nothing() { return events::found_nothing(*this); }

bool RunningTeam::left_nothing() {
  return m_flat && m_shadow->size() == 0 && m_output.empty() && events::found_nothing(*this) &&
         events::handed_nothing_over(*this);
}

TeamResult RunningTeam::take_result() {
  return {m_league_rank, m_checked, std::move(m_shadow), events::take_findings(*this), std::exchange(m_output, {}),
          std::move(m_watch.recording)};
}

void RunningTeam::give_back(TeamResult&& result) {
  m_shadow = std::move(result.shadow);
  events::give_back_findings(*this, std::move(result.found));
}

bool RunningTeam::resume(bool briefly) {
  LaneState* next = m_last ? next_after(*m_last) : &m_lanes[m_turns.first()];
  if (briefly && m_patience.waits) {
    LaneState* const ahead = first_to_get_on(*next);
    if (ahead == nullptr && m_polls.leave_out_turn()) {
      m_patience.progress = false;
      m_patience.spun += m_patience.spun_in_turn;
      return false;
    }
    if (ahead != nullptr && !m_watch.traced) next = ahead;  // a replay's lanes come one after the other
  }
  std::uint64_t const spun = m_patience.spun;
  std::uint32_t const lanes = next_lanes_to_wait();
  Hot const idle = hot;
  ++hot.in_runtime;
  hot.team = this;
  hot.accesses = 0;
  hot.answers = m_launch->script != nullptr ? m_script.get() : nullptr;
  m_patience.progress = false;
  m_patience.yields = 0;
  m_patience.briefly = briefly;
  m_patience.lanes = lanes;
  m_slice = static_cast<std::int32_t>(std::min<std::uint64_t>(options().slice, 1u << 30));
  hot.slice = m_patience.waits ? spinning_slice : m_slice;
  refresh_ranges();
  hot.other_thread = who::lane_mask & ~(m_launch->facts.config.vector_length - 1);
  m_running = &m_main;
  lane_heap::Watch const takes;
  if (next->status == LaneStatus::fresh) {
    m_next = next;
    jump(m_fibers.take());
  } else {
    jump(next->stack.fiber);
  }
  // Back on the worker's own stack: a host thread again.
  m_watch.accesses += hot.accesses;
  hot = idle;
  m_patience.spun_in_turn = m_patience.progress ? 0 : m_patience.spun - spun;
  if (m_patience.ran_away) abandon_lanes();
  if (m_alive == 0) end_interval();
  if (m_alive == 0 && m_watch.counts_warps) count_all_warps();
  if (m_alive == 0) finish_recording();
  if (m_alive == 0 && m_watch.weighed) m_launch->weight->add(m_watch.accesses, busy_lanes());
  return m_alive == 0;
}

[[gnu::always_inline]] inline void RunningTeam::go_on(LaneState& lane) {
  lane.status = LaneStatus::ready;
  hot.lane = &lane;
  hot.lanes_ahead = 0;
  refresh_stamps(lane);
  hot.outer_frames = lane.stack.outer_frames;
  hot.call_top = lane.stack.call_top;
  hot.call_end = lane.stack.fiber->calls + Fiber::call_depth;
  if (m_checked) {
    hot.ignore_begin = lane.stack.fiber->stack_begin;
    hot.ignore_bytes = lane.stack.fiber->stack_bytes;
  }
  if (m_flat || m_watch.logged) [[unlikely]]
    go_on_watched(lane);
}

void RunningTeam::make_current(LaneState& lane) { go_on(lane); }

void RunningTeam::go_on_watched(LaneState const& lane) {
  if (m_flat) {
    enter_flat(lane.lane.index);
    // What a lane does behind a fence, or an atomic that may order it, is kept with its tick: no way in line does that.
    hot.flat_table = lane.event != 0 ? &FlatTable::blind() : &FlatTable::of_this_thread();
    hot.set_watch(hot.watch);  // which goes by the table
  }
  if (m_watch.logged) enter_logs(lane.lane.index);
}

void RunningTeam::leave_current() {
  settle_stores();
  hot.lane->stack.call_top = hot.call_top;
  if (m_watch.logged) [[unlikely]] leave_logs(hot.lane->lane.index);
}

// TeamSan's own code runs in every switch: hot.in_runtime is 1 then, and 0 only while a lane's function runs.
// ---- switching -----------------------------------------------------------------------------------------------------

void RunningTeam::fiber_main(Transfer from) {
  RunningTeam* const team = static_cast<RunningTeam*>(from.data);
  team->m_leaving->context = from.left;
  team->m_running->announced.go_on_after(team->m_leaving->announced);
  team->run_lanes();
}

[[gnu::always_inline]] inline void RunningTeam::jump(Fiber* to) {
  Fiber& self = *m_running;
  m_leaving = m_running;
  m_running = to;
  if (m_exceptions->any() || to->exceptions.any()) [[unlikely]] exchange_exceptions(*m_leaving, *to);
  self.announced.leave_for(to->announced);
  Transfer const from = __teamsan_switch(to->context, this);
  // Whoever comes back here has set m_leaving to the fiber it left; a pooled fiber may serve another team by then.
  Fiber& left = *static_cast<RunningTeam*>(from.data)->m_leaving;
  left.context = from.left;
  self.announced.go_on_after(left.announced);
}

void RunningTeam::exchange_exceptions(Fiber& from, Fiber& to) {
  from.exceptions = *m_exceptions;
  *m_exceptions = std::exchange(to.exceptions, {});
}

void RunningTeam::run_lanes() {
  // The team may change between two lanes: an idle fiber is taken by whichever team needs one.
  for (RunningTeam* team = this;; team = &running_team()) {
    LaneState* lane = team->m_next;
    if (lane != nullptr && team->m_lone.alone)
      lane = team->m_blocks_end != 0                ? team->run_blocks()
             : team->launch().steps != nullptr ? team->run_steps_alone()
                                               : team->run_alone();
    while (lane != nullptr && lane->status == LaneStatus::fresh) {
      team->run_lane(*lane);
      lane = team->next_after(*lane);
      if (lane == nullptr) lane = team->when_stuck();
    }
    team->m_fibers.give_back(team->m_running);
    team->jump(lane != nullptr ? lane->stack.fiber : &team->m_main);
  }
}

void RunningTeam::call(LaneState const& lane) {
  std::uint32_t const in_runtime = std::exchange(hot.in_runtime, 0u);
  try {
    m_function(m_launch->kernel, lane.lane);
  } catch (std::exception const& e) {
    threw(lane, e.what());
  } catch (...) {
    threw(lane, nullptr);
  }
  hot.in_runtime = in_runtime;
}

void RunningTeam::run_lane(LaneState& lane) {
  lane.stack.begin_on(*m_running);
  make_current(lane);
  call(lane);
  end(lane);
}

void RunningTeam::end(LaneState& lane) {
  trace::note(trace::EventKind::end);
  leave_current();
  lane.status = LaneStatus::done;
  m_turns.erase(lane.lane.index);
  --m_alive;
  m_patience.spun = 0;
  m_patience.progress = true;
  m_last = &lane;
  if (m_patience.waits) hot.slice = std::max(hot.slice, spinning_slice);  // others may get on now, and are not to be cut short
  if (m_alive != 0 && m_meetings.at_team == m_alive) complete_team_meeting(nullptr);
}

void RunningTeam::threw(LaneState const& lane, char const* what) {
  if (m_watch.traced) {
    ThrowPlace const place = lane.thrown != nullptr ? *lane.thrown : ThrowPlace();
    trace::note_end(trace::EventKind::threw, {what != nullptr, what ? what : "", place.site, false, 0, place.callers, {}, {}});
  }
  events::threw(*this, what);
}

/// From that one on; rather one whose word has changed than one of which nothing is known. nullptr: all would find what they
/// wait for as it was.
LaneState* RunningTeam::first_to_get_on(LaneState& first) {
  LaneState *lane = &first, *unknown = nullptr;
  do {
    bool const polls = m_polls.knows(lane->lane.index);
    if (polls && !m_polls.waits(lane->lane.index)) return lane;
    if (!polls && unknown == nullptr) unknown = lane;
    lane = next_after(*lane);
  } while (lane != &first);
  return unknown;
}

bool RunningTeam::sees_change() const {
  for (LaneState const& lane : m_lanes)
    if (lane.status == LaneStatus::ready && m_polls.knows(lane.lane.index) && !m_polls.waits(lane.lane.index)) return true;
  return false;
}

/// Where the first lanes wait for what another worker is about to do, those behind them most likely do so too, and each would
/// need a stack of its own: of such a team few begin at first, and twice as many in each turn in which none gets on.
std::uint32_t RunningTeam::next_lanes_to_wait() {
  constexpr std::uint32_t all_again = 32;  // lest some get on and on, and others never begin
  if (++m_patience.turns % all_again == 0) return m_count;
  return m_patience.progress ? 0 : std::min(m_count, 2 * m_patience.lanes + 1);
}

void RunningTeam::wait(LaneState& lane) {
  LaneState* next = next_after(lane);
  if (next == nullptr) next = when_stuck();
  let_run(*next);
}

/// The running lane is left, and goes on when its turn comes.
void RunningTeam::let_run(LaneState& next) {
  LaneState& lane = running_lane();
  leave_current();
  m_last = &lane;
  if (&next != &lane) {
    if (next.status == LaneStatus::ready) [[likely]]
      jump(next.stack.fiber);
    else
      switch_to(next);
  }
  go_on(lane);
}

void RunningTeam::switch_to(LaneState& lane) {
  TEAMSAN_ASSERT(lane.status == LaneStatus::fresh || lane.status == LaneStatus::ready);
  if (lane.status == LaneStatus::fresh) {
    m_next = &lane;
    jump(m_fibers.take());
  } else {
    jump(lane.stack.fiber);
  }
}

// ---- spinning ------------------------------------------------------------------------------------------------------

void RunningTeam::yield(Repetition what, Polls::Word const* word) {
  m_patience.waits = what == Repetition::atomic;
  std::int32_t const left = std::exchange(hot.slice, spinning_slice);
  if (hot.lane->no_switch != 0) return;
  leave_alone();
  LaneState& lane = running_lane();
  if (m_launch->workers > 1) m_polls.note(lane.lane.index, m_count, word);
  std::int32_t const repeated = left <= 0 || left >= spinning_slice ? spinning_slice : spinning_slice - left;
  m_patience.spun += static_cast<std::uint64_t>(repeated) * static_cast<std::uint64_t>(what);
  LaneState* next = next_after(lane);
  leave_current();
  m_last = &lane;
  m_patience.yields += next == nullptr || next == &lane ? m_count : 1;  // a round, if the others wait for it
  if (m_patience.yields > (waits_for_others() ? m_patience.lanes : rounds * m_count)) {
    m_patience.yields = 0;
    jump(&m_main);  // resumed, or given up, by the worker
  } else if (next != nullptr && next != &lane) {
    switch_to(*next);
  }
  make_current(lane);
}

void RunningTeam::run_away() {
  m_patience.ran_away = true;
  leave_alone();
  m_last = &running_lane();
  leave_current();
  jump(&m_main);
}

void RunningTeam::give_up() {
  finish_recording();
  events::stuck(*this);
  abandon_lanes();
}

void RunningTeam::abandon_lanes() {
  for (LaneState& l : m_lanes) {
    if (l.status == LaneStatus::done || l.status == LaneStatus::fresh) continue;
    m_fibers.abandon(l.stack.fiber);
    l.status = LaneStatus::done;
  }
  m_alive = 0;
}

}  // namespace teamsan
