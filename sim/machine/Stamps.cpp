// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What orders a team's lanes: ticks and stamps (Cell.hpp), as meetings, fences and atomics advance them.
#include "RunningTeam.hpp"

#include "LaunchEvents.hpp"
#include "../memory/FlatShadow.hpp"
#include "../memory/FlatTable.hpp"
#include "../memory/TickMap.hpp"

#include <algorithm>
#include <utility>

namespace teamsan {

namespace {
/// A lane that waits may fence in each round. Further fences advance no tick, so that its reads are seen to repeat.
constexpr std::uint32_t fences_in_a_row = 64;

/// Thread meetings that are kept for reads of what nothing had written; further ones count as none.
constexpr std::size_t most_meetings = 16 * 1024;

/// Bounds of ticks (TickMap.hpp) that are kept when a team's ticks are numbered anew.
constexpr std::ptrdiff_t most_bounds = 48 * 1024;

/// f(cell) for every Cell of the team, bytes included.
template <class F>
void for_each_mark(Scratch& scratch, TeamShadow& shadow, F f) {
  auto const in = [&](Cell* cells, std::size_t count) {
    for (std::size_t i = 0; i != count; ++i) f(cells[i]);
  };
  for (std::uintptr_t a = scratch.begin(); a < scratch.begin() + scratch.extent(); a += Line::bytes) {
    in(Scratch::cells_at(a), Line::words);
    in(Scratch::seconds_at(a), Line::words);
    if (ByteLine* const bytes = scratch.bytes_of(a)) in(bytes->first, 2 * Line::bytes);
  }
  for (std::size_t i = 0; i != shadow.size(); ++i) {
    Line& line = shadow[i];
    in(line.first, line.cells());
    in(line.second(), line.cells());
    if (line.per_byte) in(line.per_byte->first, 2 * Line::bytes);
  }
}

}  // namespace

void RunningTeam::refresh_index() {
  hot.index = m_shadow->index();
  hot.index_shift = m_shadow->shift();
}

MeetingPlace const* Team::cuda_orders(Who earlier) const {
  if (m_clock.sync == Sync::cuda) return nullptr;
  Who const stamp = who::stamp(earlier);
  if (stamp < m_clock.cuda_floor) return &m_clock.cuda_passed;
  std::uint32_t const thread = hot.lane->lane.thread;
  bool const same_thread = who::lane(earlier) / hot.lane->lane.vector_length == thread;
  return same_thread && stamp < m_clock.threads[thread].cuda ? &m_clock.threads[thread].passed : nullptr;
}

// ---- meetings ------------------------------------------------------------------------------------------------------

void RunningTeam::order_team(Order order, Order on_cuda) {
  if (order == Order::values) forget_reads();
  advance_tick();
  Who const now = m_clock.tick << who::stamp_shift;
  if (order == Order::team) m_clock.floor = now;
  if (on_cuda == Order::team) {
    m_clock.cuda_floor = now;
    m_clock.cuda_passed = {m_meetings.meeting, m_meetings.site};
    m_clock.fence_met = m_clock.fence;
    if (m_clock.order_log != nullptr) m_launch->atomic_order->meet(*m_clock.order_log, m_clock.tick);
    if (m_due.barrier) events::barrier_passed(*this, m_clock.tick);
    if (m_clock.acquired) begin_segment();
    m_clock.acquired = false;
  }
}

void RunningTeam::order_thread(std::uint32_t thread, Order order, Order on_cuda) {
  advance_tick();
  Who const now = m_clock.tick << who::stamp_shift;
  ThreadStamps& stamps = m_clock.threads[thread];
  if (order >= Order::thread) stamps.writes = now;
  if (order >= Order::thread && m_due.reads && m_clock.thread_meetings.size() != most_meetings) [[unlikely]]
    m_clock.thread_meetings.push_back({thread, now});
  if (order >= Order::values) stamps.reads = now;
  if (on_cuda >= Order::thread || order >= Order::thread) {
    LaneState const& first = m_lanes[std::size_t{thread} * m_lanes[0].lane.vector_length];
    stamps.cuda = now;
    stamps.passed = {first.waits.meeting, first.waits.site};
    if (m_clock.order_log != nullptr) m_launch->atomic_order->meet_thread(*m_clock.order_log, thread, m_clock.tick);
  }
}

void RunningTeam::advance_tick() {
  if (++m_clock.tick << who::stamp_shift >= who::last_stamp) renumber();
}

void RunningTeam::renumber() {
  std::vector<std::uint32_t> bounds{m_clock.tick, m_clock.fence, m_clock.fence_met};
  auto const add = [&](Who stamp) { bounds.push_back(stamp >> who::stamp_shift); };
  add(m_clock.floor);
  add(m_clock.cuda_floor);
  for (ThreadStamps const& thread : m_clock.threads)
    for (Who const stamp : {thread.writes, thread.reads, thread.cuda}) add(stamp);
  for (LaneState const& lane : m_lanes) bounds.push_back(lane.fence);
  for (ThreadMeeting const& met : m_clock.thread_meetings) add(met.stamp);
  std::vector<std::uint32_t> const always = bounds;
  events::add_ticks(*this, bounds);
  if (m_clock.order_log != nullptr) AtomicOrder::add_bounds(*m_clock.order_log, bounds);

  std::uint32_t known_from = 0;
  std::sort(bounds.begin(), bounds.end());
  bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
  if (std::ssize(bounds) > most_bounds) {  // the latest do, and what the team itself goes by
    bounds.erase(bounds.begin(), bounds.end() - most_bounds / 2);
    known_from = bounds.front();
    if (m_clock.order_log != nullptr) events::forgot_old_accesses(*m_launch, m_league_rank);
    bounds.insert(bounds.end(), always.begin(), always.end());
  }
  TickMap const map(bounds, m_clock.tick);

  auto const renew = [&](Who& w) {
    if (who::touched(w)) w = (w & (who::flags_mask | who::lane_mask)) | map(w >> who::stamp_shift) << who::stamp_shift;
  };
  for_each_mark(m_scratch, *m_shadow, [&](Cell& cell) { renew(cell.write.who), renew(cell.read.who); });
  m_shadow->for_each_kept([&](Mark& mark) { renew(mark.who); });
  events::renew_ticks(*this, renew);
  if (m_flat) m_launch->flat->renew_ticks(m_first_lane, m_count, [&](std::uint32_t tick) { return map(tick); });
  for (LaneState& lane : m_lanes) {
    renew(lane.event);
    if (lane.fence != 0) lane.fence = map(lane.fence);
  }
  for (ThreadStamps& thread : m_clock.threads) renew(thread.writes), renew(thread.reads), renew(thread.cuda);
  for (ThreadMeeting& met : m_clock.thread_meetings) renew(met.stamp);
  renew(m_clock.floor);
  renew(m_clock.cuda_floor);
  for (std::uint32_t* const tick : {&m_clock.fence, &m_clock.fence_met})
    if (*tick != 0) *tick = map(*tick);
  m_clock.tick = map(m_clock.tick);
  if (m_clock.order_log != nullptr) m_launch->atomic_order->renumber(*m_clock.order_log, map, known_from);
}

/// The lanes have exchanged values: what they read before is over. Only under --sync portable, where it costs a walk.
void RunningTeam::forget_reads() {
  // Where atomics order the team with others, it counts when they were; before that, that they were early.
  if (m_clock.order_log != nullptr) m_shadow->keep_reads();
  Who const stamp = m_clock.order_log != nullptr ? who::forgotten : 2 * who::first_stamp;
  for_each_mark(m_scratch, *m_shadow, [&](Cell& cell) {
    Who& read = cell.read.who;
    if (read >= m_clock.floor && read < who::bytewise) read = (read & (who::atomic | who::lane_mask)) | stamp;
  });
}

// ---- fences and atomics --------------------------------------------------------------------------------------------

/// What the lane does from here on has a stamp of its own.
void RunningTeam::begin_event(LaneState& lane) {
  advance_tick();
  lane.event = m_clock.tick << who::stamp_shift;
  refresh_stamps(lane);
  if (m_flat) {
    hot.flat_table = &FlatTable::blind();
    hot.set_watch(hot.watch);  // which goes by the table
  }
  --hot.slice;  // a read that repeats does not look like one
}

AtomicOrder::Standing Team::begin_moment() {
  auto& running = static_cast<RunningTeam&>(*this);
  running.leave_alone();
  running.begin_event(running_lane());
  return running.standing(running_lane());
}

void RunningTeam::begin_segment() {
  m_shadow->begin_segment();
  refresh_index();
}

void RunningTeam::note_fence() {
  leave_alone();
  LaneState& lane = running_lane();
  if (++lane.fences <= fences_in_a_row) begin_event(lane);
  lane.fence = lane.fences <= fences_in_a_row ? m_clock.tick : (hot.me >> who::stamp_shift) + 1;
  m_clock.fence = std::max(m_clock.fence, lane.fence);
}

/// Tick behind the latest fence that lies before what the lane does now; 0: none.
std::uint32_t RunningTeam::latest_fence(LaneState const& lane) const {
  std::uint32_t const width = lane.lane.vector_length;
  std::uint32_t fence = std::max(lane.fence, m_clock.fence_met);
  for (std::uint32_t i = 0; i != width; ++i) fence = std::max(fence, m_lanes[lane.lane.thread * width + i].fence);
  return fence;
}

AtomicOrder::Standing RunningTeam::standing(LaneState const& lane) const {
  Who const thread = std::max(m_clock.cuda_floor, m_clock.threads[lane.lane.thread].cuda);
  return {lane.lane.index, hot.me >> who::stamp_shift, m_clock.tick + 1, thread >> who::stamp_shift,
          m_clock.cuda_floor >> who::stamp_shift};
}

void RunningTeam::note_release(std::uintptr_t address, bool ordered) {
  if (ordered) leave_alone();
  LaneState& lane = running_lane();
  std::uint32_t const before = ordered ? m_clock.tick + 1 : m_clock.fence != 0 ? latest_fence(lane) : 0;
  if (before == 0) return;
  trace::note(trace::EventKind::release, {}, address, ordered);
  AtomicOrder& order = *m_launch->atomic_order;
  if (m_clock.order_log == nullptr) m_clock.order_log = &order.log(m_league_rank, lane.lane.vector_length);
  order.release(*m_clock.order_log, standing(lane), address, before);
  if (ordered) begin_event(lane);
}

void RunningTeam::note_acquire(std::uintptr_t address, bool replayed) {
  AtomicOrder& order = *m_launch->atomic_order;
  if (!replayed && !order.knows(address)) return;
  leave_alone();
  LaneState& lane = running_lane();
  if (m_clock.order_log == nullptr) m_clock.order_log = &order.log(m_league_rank, lane.lane.vector_length);
  using Acquired = AtomicOrder::Acquired;
  bool const idle = !m_flat && m_shadow->touched_only(address);
  if (order.acquire(*m_clock.order_log, standing(lane), address, idle, replayed) != Acquired::news) return;
  trace::note(trace::EventKind::acquire, {}, address);
  lane.fences = 0;
  m_clock.acquired = true;
  begin_event(lane);
  begin_segment();
}

void RunningTeam::acquire_volatile_load() {
  VolatileLoad const load = std::exchange(hot.lane->volatile_load, {});
  RuntimeScope const scope;
  if (m_launch->atomic_order->used()) note_acquire(load.address);
  events::volatile_load_made(*this, load);
}

}  // namespace teamsan
