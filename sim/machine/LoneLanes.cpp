// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Lanes of which each ends before the next begins: those of a range, which never meet. One state and one loop do for all of
/// them, until one waits, repeats itself or is told apart from the others; then they are lanes as any.
#include <teamsan/sim/machine/Team.hpp>

#include <exception>
#include <utility>

namespace teamsan {

inline std::uint32_t Team::busy_lanes() const {
  std::uint64_t const all = m_launch->facts.config.busy_lanes, before = m_league_rank * m_count;
  return all == 0 || all - before >= m_count ? m_count : static_cast<std::uint32_t>(all - before);
}

inline void Team::enter_alone(std::uint32_t lane) {
  m_one.lane.thread = m_one.lane.index = lane;
  m_one.renew();
  m_one.call_top = m_running->calls;
  hot.me = m_floor | lane;
  hot.call_top = m_one.call_top;
  hot.slice = m_slice;
  if (m_flat) enter_flat(lane);
}

/// Nobody looks at the other lanes meanwhile, so that one state does for all of them, and stays in the processor's cache.
LaneState* Team::run_alone() {
  std::uint32_t i = 0;
  m_one.lane.thread = m_one.lane.index = 0;
  m_one.begin(m_league_rank, LaneStatus::ready);
  m_one.fiber = m_running;
  m_one.call_top = m_running->calls;
  make_current(m_one);
  std::uint32_t const busy = busy_lanes();
  for (;;) {
    std::uint32_t const in_runtime = std::exchange(hot.in_runtime, 0u);
    try {
      for (;;) {
        m_launch->function(m_launch->kernel, m_one.lane);
        if (!m_alone || m_due.stores || i + 1 == busy) break;
        enter_alone(++i);
      }
    } catch (std::exception const& e) {
      threw(*hot.lane, e.what());
    } catch (...) {
      threw(*hot.lane, nullptr);
    }
    hot.in_runtime = in_runtime;
    if (!m_alone) break;
    settle_stores();
    if (i + 1 == busy) break;
    enter_alone(++i);
  }
  if (!m_alone) {
    end(m_lanes[i]);
    LaneState* const next = next_after(m_lanes[i]);
    return next != nullptr ? next : when_stuck();
  }
  m_alone = false;
  m_was_alone = true;
  m_alive = 0;
  m_last = &m_lanes[i];
  m_ready.fill(0);
  m_spun = 0;
  m_progress = true;
  return nullptr;
}

void Team::leave_alone() {
  if (!m_alone) return;
  m_alone = false;
  m_alive -= m_one.lane.index;
  hot.flat_shared = true;  // lanes do not come in their order any more
  m_threads_met = true;
  std::uint32_t const running = m_one.lane.index;
  for (std::uint32_t i = 0; i != m_count; ++i)
    m_lanes[i].begin(m_league_rank, i < running ? LaneStatus::done : LaneStatus::fresh);
  for (std::uint32_t i = 0; i != running; ++i) m_ready.erase(i);
  m_lanes[running] = std::move(m_one);
  m_lanes[running].call_top = hot.call_top;
  hot.lane = &m_lanes[running];
}

}  // namespace teamsan
