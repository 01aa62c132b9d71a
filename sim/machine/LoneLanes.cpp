// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Lanes of which each ends before the next begins: those of a range, which never meet. One state and one loop do for all of
/// them, until one waits, repeats itself or is told apart from the others; then they are lanes as any. Mostly the loop is in
/// the lanes' own function (next_lane). Lanes that meet behind each of their steps (a scan's) do the same step by step.
#include "RunningTeam.hpp"

#include "WarpEvents.hpp"
#include "../memory/FlatTable.hpp"
#include "../places/Sites.hpp"

#include <cstddef>
#include <cstring>
#include <exception>
#include <memory>
#include <utility>

namespace teamsan {

// machine/NextLane.hpp does the same.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
static_assert(sizeof(LaneMarks) == teamsan_lane_marks_bytes);
static_assert(offsetof(LaneState, lane) + offsetof(Lane, thread) == teamsan_lane_thread);
static_assert(offsetof(LaneState, lane) + offsetof(Lane, index) == teamsan_lane_index);
#pragma GCC diagnostic pop

std::uint32_t RunningTeam::busy_lanes() const {
  std::uint64_t const all = m_launch->facts.config.busy_lanes, before = m_league_rank * m_count;
  return all == 0 || all - before >= m_count ? m_count : static_cast<std::uint32_t>(all - before);
}

/// The lane before leaves its warp's log to this one.
void RunningTeam::enter_next_log(std::uint32_t lane) {
  m_warp_log->leave(lane - 1);
  m_warp_log->enter(lane);
}

[[gnu::always_inline]] inline void RunningTeam::enter_next_flat() {
  if ((++hot.flat_lane & 0xffffff) != 0) [[likely]]
    hot.flat_word = FlatWord(hot.flat_word).next_lane().bits();
  else
    hot.flat_word = FlatWord::of_lane(m_launch->epoch, hot.flat_lane).bits();
}

/// Once the marks of the lane before are gone.
[[gnu::always_inline]] inline void RunningTeam::enter_next(std::uint32_t lane) {
  m_lone.one.lane.thread = m_lone.one.lane.index = lane;
  hot.me = m_clock.cuda_floor | lane;
  hot.slice = m_slice;
  if (m_flat) enter_next_flat();
}

void RunningTeam::enter_alone(std::uint32_t lane) {
  hot.lanes_ahead = 0;  // an exception may have ended the one before
  if (m_flat) give_up_flat();
  if (m_watch.counts_warps) [[unlikely]] enter_next_log(lane);
  m_lone.one.renew();
  hot.call_top = m_lone.one.stack.call_top;
  enter_next(lane);
}

[[gnu::always_inline]] inline bool RunningTeam::next_alike(std::uint32_t next) {
  static_cast<LaneMarks&>(m_lone.one) = {};
  enter_next(next);
  std::uintptr_t* const inside = m_lone.one.stack.call_top + 1;  // in the function that all these lanes are in, with
  if (hot.call_top > inside) [[unlikely]] hot.call_top = inside;  // whatever a caught exception has left
  return true;
}

/// Lanes behind the running one begin as next_alike has it, and nobody has to be asked: whoever makes that untrue takes them
/// back. Of several workers each asks now and then whether another one waits for what it holds.
[[gnu::always_inline]] inline void RunningTeam::let_lanes_begin_in_line() {
  std::uint32_t ahead = m_lone.in_one_call - 1 - m_lone.one.lane.index;
  if (m_flat) {
    constexpr std::uint32_t without_asking = 7;
    if (hot.flat_shared && ahead > without_asking) ahead = without_asking;
    if (std::uint32_t const alike = ~hot.flat_lane & 0xffffff; ahead > alike) ahead = alike;  // see enter_next_flat
  }
  hot.first_slice = m_slice;
  hot.lanes_calls = m_lone.one.stack.call_top + 1;
  hot.lanes_ahead = ahead;
}

/// What is not as usual is run_alone's to do.
bool RunningTeam::next_alone() {
  hot.lanes_ahead = 0;
  std::uint32_t const next = m_lone.one.lane.index + 1;
  if (next >= m_lone.in_one_call || m_due.stores) return false;
  if (m_lone.one.thrown != nullptr || m_lone.one.volatile_load.address != 0) return false;
  if (hot.flat_shared && m_flat && hot.flat_table->is_wanted()) [[unlikely]] return false;
  if (m_watch.counts_warps) [[unlikely]] return next_counted(next);
  next_alike(next);
  let_lanes_begin_in_line();
  return true;
}

/// Apart, so that the usual needs no frame.
bool RunningTeam::next_counted(std::uint32_t next) {
  enter_next_log(next);
  return next_alike(next);
}

bool next_lane() noexcept { return running_team().next_alone(); }

/// Nobody looks at the other lanes meanwhile, so that one state does for all of them, and stays in the processor's cache.
LaneState* RunningTeam::run_alone() {
  m_lone.one.lane.thread = m_lone.one.lane.index = 0;
  m_lone.one.begin(m_league_rank, LaneStatus::ready);
  m_lone.one.stack.begin_on(*m_running);
  make_current(m_lone.one);
  std::uint32_t const busy = busy_lanes();
  m_lone.in_one_call = busy;
  for (;;) {
    std::uint32_t const in_runtime = std::exchange(hot.in_runtime, 0u);
    try {
      for (;;) {
        m_function(m_launch->kernel, m_lone.one.lane);
        if (!m_lone.alone || m_due.stores || m_lone.one.lane.index + 1 == busy) break;
        enter_alone(m_lone.one.lane.index + 1);
      }
    } catch (std::exception const& e) {
      threw(running_lane(), e.what());
    } catch (...) {
      threw(running_lane(), nullptr);
    }
    hot.in_runtime = in_runtime;
    if (!m_lone.alone) break;
    settle_stores();
    if (m_lone.one.lane.index + 1 == busy) break;
    enter_alone(m_lone.one.lane.index + 1);
  }
  if (!m_lone.alone) return go_on_with(hot.lane->lane.index);
  all_ended();
  return nullptr;
}

/// The lane has ended, and the others are lanes as any.
LaneState* RunningTeam::go_on_with(std::uint32_t lane) {
  end(m_lanes[lane]);
  LaneState* const next = next_after(m_lanes[lane]);
  return next != nullptr ? next : when_stuck();
}

inline void RunningTeam::all_ended() {
  if (m_watch.logged) [[unlikely]] leave_logs(m_lone.one.lane.index);
  m_lone.alone = false;
  m_lone.to_the_end = true;
  m_alive = 0;
  m_last = &m_lanes[m_lone.one.lane.index];
  m_turns.end_all();
  m_patience.spun = 0;
  m_patience.progress = true;
}

/// Nobody asks which lane runs: what could tell is not in such kernels (BlocksFunction).
LaneState* RunningTeam::run_blocks() {
  m_lone.one.lane.thread = m_lone.one.lane.index = 0;
  m_lone.one.begin(m_league_rank, LaneStatus::ready);
  m_lone.one.stack.begin_on(*m_running);
  make_current(m_lone.one);
  m_lone.one.no_switch = 1;
  std::uint32_t const in_runtime = std::exchange(hot.in_runtime, 0u);
  m_launch->plain.blocks(m_launch->kernel, m_league_rank, m_blocks_end);
  hot.in_runtime = in_runtime;
  all_ended();
  return nullptr;
}

LaneState* RunningTeam::run_steps_alone() {
  LaneSteps const& steps = *m_launch->steps;
  m_lone.one.lane.thread = m_lone.one.lane.index = 0;
  m_lone.one.begin(m_league_rank, LaneStatus::ready);
  m_lone.one.stack.begin_on(*m_running);
  constexpr std::size_t alignment = 256;
  void* place = __builtin_alloca(m_count * steps.value_bytes + alignment);
  std::size_t room = m_count * steps.value_bytes + alignment;
  m_lone.step_values = static_cast<std::byte*>(std::align(alignment, m_count * steps.value_bytes, place, room));
  std::uint64_t const count = steps.count(m_launch->kernel, m_lone.one.lane);
  m_lone.in_one_call = m_count;
  for (m_lone.step = 0;; ++m_lone.step) {
    m_lone.one.lane.thread = m_lone.one.lane.index = 0;
    m_lone.one.renew();
    make_current(m_lone.one);
    hot.slice = m_slice;
    for (;;) {
      if (!take_step()) return go_on_with(hot.lane->lane.index);
      settle_stores();
      if (m_lone.one.lane.index + 1 == m_count) break;
      enter_alone(m_lone.one.lane.index + 1);
    }
    if (m_lone.step + 1 == count) break;
    if (!meet_alone(steps)) return go_on_with(m_count - 1);
    if (m_watch.logged) [[unlikely]] leave_logs(m_count - 1);
  }
  all_ended();
  return nullptr;
}

/// The running lane has thrown, and ends.
void RunningTeam::leave_alone_by_throw(char const* what, std::uint32_t in_runtime) {
  hot.in_runtime = in_runtime;
  leave_alone();
  hot.in_runtime = 0;
  threw(running_lane(), what);
  hot.in_runtime = in_runtime;
}

/// The running lane's, and those of lanes behind it that run in the same call. False: the lanes are as any; the running one
/// has ended.
bool RunningTeam::take_step() {
  LaneSteps const& steps = *m_launch->steps;
  std::uint32_t const in_runtime = std::exchange(hot.in_runtime, 0u);
  bool taken = false;
  try {
    steps.run(m_launch->kernel, m_lone.one.lane, m_lone.step, m_lone.step_values + m_lone.one.lane.index * steps.value_bytes);
    taken = true;
  } catch (std::exception const& e) {
    leave_alone_by_throw(e.what(), in_runtime);
  } catch (...) {
    leave_alone_by_throw(nullptr, in_runtime);
  }
  hot.in_runtime = in_runtime;
  settle_volatile_load();
  if (m_lone.alone) return true;
  if (!taken) return false;
  ++m_lone.stepped;
  std::size_t const at = hot.lane->lane.index * steps.value_bytes;
  std::memcpy(m_lone.left_values.data() + at, m_lone.step_values + at, steps.value_bytes);
  call(running_lane());  // which goes on behind the step
  return false;
}

/// All have come, one after the other. False: what they combine by has thrown, on the last lane.
bool RunningTeam::meet_alone(LaneSteps const& steps) {
  m_meetings.values.resize(m_count);
  for (std::uint32_t i = 0; i != m_count; ++i) m_meetings.values[i] = m_lone.step_values + i * steps.value_bytes;
  std::uint32_t const in_runtime = hot.in_runtime;
  try {
    UncheckedScope const scope;
    steps.met(m_launch->kernel, m_lone.one.lane, m_lone.step, m_meetings.values.data(), m_count);
  } catch (std::exception const& e) {
    leave_alone_by_throw(e.what(), in_runtime);
  } catch (...) {
    leave_alone_by_throw(nullptr, in_runtime);
  }
  if (!m_lone.alone) {
    m_lone.stepped = m_count;
    return false;
  }
  m_meetings.meeting = steps.meeting;
  m_meetings.site = site_at(steps.site);
  Synchronisation const& row = synchronisation(m_meetings.meeting);
  Order const order = row.under(m_clock.sync);
  if (m_watch.counts_warps) {
    count_all_warps();
    events::construct_met(*this, m_meetings.meeting, Join::plain);
  }
  if (order == Order::team) end_barrier_interval();
  m_patience.progress = true;
  order_team(order, row.cuda);
  return true;
}

FirstStep RunningTeam::first_step(void* value) {
  if (m_lone.left_values.empty()) return {};
  std::uint32_t const lane = hot.lane->lane.index;
  std::size_t const bytes = m_launch->steps->value_bytes;
  std::memcpy(value, m_lone.left_values.data() + lane * bytes, bytes);
  return {m_lone.step, lane < m_lone.stepped};
}

void RunningTeam::leave_alone() {
  if (!m_lone.alone) return;
  m_lone.alone = false;
  m_lone.in_one_call = 0;
  hot.lanes_ahead = 0;
  hot.flat_shared = true;  // lanes do not come in their order any more
  hot.flat_mark = FlatHolds::no_mark;
  m_threads_met = true;
  std::uint32_t const running = m_lone.one.lane.index;
  if (m_launch->steps != nullptr) {
    m_lone.left_values.assign(m_lone.step_values, m_lone.step_values + m_count * m_launch->steps->value_bytes);
    m_lone.stepped = running;
    for (LaneState& lane : m_lanes) lane.begin(m_league_rank, LaneStatus::fresh);
  } else {
    m_alive -= running;
    for (std::uint32_t i = 0; i != m_count; ++i)
      m_lanes[i].begin(m_league_rank, i < running ? LaneStatus::done : LaneStatus::fresh);
    for (std::uint32_t i = 0; i != running; ++i) m_turns.erase(i);
  }
  m_lanes[running] = std::move(m_lone.one);
  m_lanes[running].stack.call_top = hot.call_top;
  hot.lane = &m_lanes[running];
}

}  // namespace teamsan
