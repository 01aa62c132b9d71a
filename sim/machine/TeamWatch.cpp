// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What watches a running team's lanes: which accesses are looked at, and how; warps that are counted; what is recorded.
#include "RunningTeam.hpp"

#include "../base/Options.hpp"
#include "../base/Shard.hpp"
#include "Commit.hpp"
#include "WarpEvents.hpp"
#include "../memory/FlatShadow.hpp"
#include "../memory/FlatTable.hpp"
#include "../trace/Mode.hpp"

#include <memory>

namespace teamsan {

void RunningTeam::begin_watch() {
  LaunchState const& launch = *m_launch;
  std::uint64_t const modelled = options().model_teams;
  m_watch = {};
  m_watch.owned = shard.owns_team(m_league_rank);
  m_watch.traced = m_checked && trace::recording();
  m_watch.counts_warps =
      m_checked && m_watch.owned && launch.traffic != nullptr && (modelled == 0 || m_league_rank < modelled);
  m_watch.logged = m_watch.counts_warps || m_watch.traced;
  bool const may_weigh = m_checked && !m_watch.logged && !shard.on() && launch.weight != nullptr;
  m_watch.weighed = may_weigh && LaunchWeight::counts(m_league_rank, launch.facts.config.league_size);
  if (m_watch.traced) {
    if (!m_trace) m_trace = std::make_unique<trace::TeamTrace>([this] { cut_recording(); });
    m_trace->begin();
  }
  if (m_watch.counts_warps) {
    if (!m_warp_log) m_warp_log = std::make_unique<WarpLog>();
    m_warp_log->begin(m_count, launch.facts.warp_width);
  }
}

void RunningTeam::refresh_ranges() {
  if (!m_checked) {  // nothing is looked at
    hot.scratch_bytes = hot.global_bytes = 0;
    hot.ignore_begin = 0;
    hot.ignore_bytes = ~std::uintptr_t{0};
    hot.set_watch(Watch::nothing);
    hot.unwatched = m_blocks_end != 0 || !m_launch->is_checked();
    return;
  }
  hot.of_range = joins_updates();
  hot.scratch_begin = m_scratch.begin();
  hot.scratch_bytes = m_scratch.extent();
  hot.scratch_cells = m_scratch.cells();
  hot.global_bytes = arena::global_bytes;
  refresh_index();
  if (m_watch.weighed)
    hot.set_watch(m_flat ? Watch::flat_and_weighed : Watch::weighed);
  else if (!m_flat && hot.watch == Watch::checked)
    hot.set_watch(unlogged_watch());
  if (m_flat) {
    hot.flat_table = &FlatTable::of_this_thread();
    if (!m_watch.weighed) hot.set_watch(hot.warp_next != nullptr ? Watch::flat_and_counted : Watch::flat);
    hot.flat_shared = hot.flat_table->holds != nullptr || !m_lone.alone;  // the first team runs before any other
    give_up_flat();
    hot.flat_shadow = m_launch->flat;
    hot.flat_loads = m_launch->flat->has_loads_for_update();
  }
  if (!shard.on()) return;  // otherwise slow_access decides
  hot.global_bytes = 0;
  if (m_watch.owned) return;
  hot.scratch_bytes = 0;
  hot.scratch_cells = nullptr;
  if (m_watch.logged || m_flat) return;
  hot.set_watch(Watch::others);
  hot.others_bytes = m_scratch.extent();
}

Watch RunningTeam::unlogged_watch() const {
  return m_flat ? Watch::flat : hot.of_range ? Watch::range : Watch::checked;
}

/// What other workers want; no lane runs just now.
void RunningTeam::give_up_flat() {
  hot.flat_table->rest();
  hot.flat_mark = m_lone.alone ? hot.flat_table->mark() : FlatHolds::no_mark;
}

void RunningTeam::enter_logs(std::uint32_t lane) {
  if (m_watch.counts_warps) m_warp_log->enter(lane);
  hot.set_watch(m_flat ? Watch::flat_and_counted : Watch::counted);
  if (m_watch.traced) [[unlikely]] enter_trace(lane);
}

void RunningTeam::enter_trace(std::uint32_t lane) {
  hot.set_watch(m_watch.counts_warps ? Watch::counted_and_recorded : Watch::recorded);
  m_trace->enter(lane);
}

void RunningTeam::leave_logs(std::uint32_t lane) {
  hot.set_watch(unlogged_watch());
  if (m_watch.counts_warps) m_warp_log->leave(lane);
  if (m_watch.traced) m_trace->leave();
}

void RunningTeam::cut_recording() {
  m_trace->take(m_watch.recording);
  m_launch->commit->add_pieces(m_league_rank, m_watch.recording);
}

void RunningTeam::finish_recording() {
  if (!m_watch.traced) return;
  if (hot.trace_next != nullptr) {  // a lane that crashed
    m_trace->leave();
    hot.set_watch(Watch::checked);  // what reports it may be instrumented: a string's functions of the program's own
  }
  m_trace->take(m_watch.recording);
}

// ---- counting ------------------------------------------------------------------------------------------------------

void RunningTeam::count_warp(std::uint32_t warp) {
  m_warp_log->flush(
      warp, [&](WarpRecord const& record, std::uint32_t) { events::warp_will_access(*this, record); },
      [&](WarpRecord const& record, std::uint32_t w) { events::warp_accessed(*this, record, w); });
  events::warp_window_ended(*this);
}

void RunningTeam::count_all_warps() {
  for (std::uint32_t w = 0, end = m_warp_log->warp_of(m_count - 1) + 1; w != end; ++w) count_warp(w);
}

void RunningTeam::take_turns() {
  leave_alone();
  LaneState& lane = running_lane();
  if (lane.no_switch != 0) return;
  std::uint32_t const warp = m_warp_log->warp_of(lane.lane.index), window = m_warp_log->window(warp);
  LaneState* const next = next_after(lane);
  leave_current();
  m_last = &lane;
  if (next != nullptr && next != &lane) switch_to(*next);
  // All that could have come as far: the first lane to be here again begins the next window.
  if (m_warp_log->window(warp) == window) count_warp(warp);
  make_current(lane);
}

}  // namespace teamsan
