#include <teamsan/sim/machine/Team.hpp>

#include <teamsan/sim/Options.hpp>
#include <teamsan/sim/detect/Checker.hpp>
#include <teamsan/sim/detect/Crash.hpp>
#include <teamsan/sim/detect/Divergence.hpp>
#include <teamsan/sim/detect/OnReport.hpp>
#include <teamsan/sim/machine/Commit.hpp>
#include <teamsan/sim/machine/Shard.hpp>
#include <teamsan/sim/report/Collector.hpp>
#include <teamsan/sim/report/TextLayout.hpp>
#include <teamsan/sim/trace/Fields.hpp>
#include <teamsan/sim/trace/Replay.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <utility>

namespace teamsan {

using boost::context::detail::jump_fcontext;
using boost::context::detail::transfer_t;

namespace {
/// Repeated accesses between two yields once a lane is known to spin, and rounds of yields before other teams get a turn.
constexpr std::int32_t spinning_slice = 1000;
constexpr std::uint64_t rounds = 4;
/// Accesses of a lane out of bounds.
constexpr std::uint32_t most_strays = 1 << 20;
}  // namespace

void Team::begin(LaunchState const& launch, std::uint64_t league_rank, std::uint32_t scratch_slot) {
  LaunchConfig const& c = launch.facts.config;
  bool const same_shape = m_launch != nullptr && m_count == c.team_size * c.vector_length && !m_lanes.empty() &&
                          m_lanes[0].lane.vector_length == c.vector_length && m_lanes[0].lane.league_size == c.league_size;
  m_launch = &launch;
  m_league_rank = league_rank;
  m_count = m_alive = c.team_size * c.vector_length;
  m_checked = launch.checked && (options().m_rules != 0 || trace::recording());
  if (Options const& o = options(); o.team >= 0)
    m_checked = m_checked && static_cast<std::uint64_t>(o.team) == league_rank;
  else if (o.quick)
    m_checked = m_checked && (league_rank == 0 || league_rank + 1 == c.league_size);
  if (trace::replaying()) {
    if (!m_replay) m_replay = std::make_unique<trace::TeamReplay>();
    m_checked = m_checked && trace::find_team(launch.facts.number, league_rank, m_count, *m_replay);
  }
  m_traced = m_checked && trace::recording();
  if (m_traced) {
    if (!m_trace) m_trace = std::make_unique<trace::TeamTrace>();
    m_trace->begin();
    m_recording = {};
  }

  if (!same_shape) {
    m_lanes.resize(m_count);
    for (std::uint32_t i = 0; i != m_count; ++i)
      m_lanes[i].lane = Lane{0, c.league_size, i / c.vector_length, c.team_size, i % c.vector_length, c.vector_length, i};
  }
  m_positions.clear();
  if (launch.order) {
    m_positions.resize(m_count);
    for (std::uint32_t p = 0; p != m_count; ++p) m_positions[(*launch.order)[p]] = p;
  }
  for (LaneState& l : m_lanes) {
    l.lane.league_rank = league_rank;
    l.status = LaneStatus::fresh;
    l.no_switch = 0;
    l.storing_result = false;
    l.scopes = 0;
    l.throw_site = 0;
    l.fiber = nullptr;
    l.event = 0;
    l.fence = l.fences = l.strays = 0;
  }
  m_ready.fill(m_count);
  m_at_team_meeting = 0;
  m_at_thread_meeting.assign(c.team_size, 0);
  m_sync = sync_mode();
  m_tick = m_sync == Sync::cuda ? 1 : 3;  // forget_reads needs stamps before the first
  m_floor = m_cuda_floor = m_tick << who::stamp_shift;
  m_cuda_passed = {};
  m_threads.assign(c.team_size, {m_floor, m_floor, m_floor, {}});
  m_interval = 0;
  m_last_barrier = 0;
  m_order_log = nullptr;
  m_fence = m_fence_met = 0;
  m_acquired = false;
  m_yields = m_spun = 0;
  m_ran_away = false;
  m_last = nullptr;

  m_scratch.reset(scratch_slot);
  if (!m_shadow) m_shadow = std::make_unique<TeamShadow>();
  m_shadow->reset(launch.epoch, launch.context);
  m_findings.clear();
  m_uninit.clear();
  m_raced_stores.clear();
  m_uninit_global.clear();
  m_global_stores.clear();
  m_lane_redundant.clear();
  m_pending.clear();
  m_shared_atomics.clear();
  m_printed = false;
  m_output.clear();

  std::uint64_t const modelled = options().model_teams;
  m_owned = shard.owns_team(league_rank);
  m_counts_warps = m_checked && m_owned && launch.traffic != nullptr && (modelled == 0 || league_rank < modelled);
  m_logged = m_counts_warps || m_traced;
  if (m_counts_warps) {
    if (!m_warp_log) m_warp_log = std::make_unique<WarpLog>();
    m_warp_log->begin(m_count, launch.facts.warp_width);
    m_traffic.begin_team(*launch.traffic, league_rank);
  }
}

bool Team::resume() {
  Hot const idle = hot;
  ++hot.in_runtime;
  hot.team = this;
  m_progress = false;
  m_yields = 0;
  hot.slice = static_cast<std::int32_t>(std::min<std::uint64_t>(options().slice, 1u << 30));
  LaneState* const next =
      m_last ? next_after(*m_last) : &at_position(m_ready.first());
  refresh_ranges();
  hot.other_thread = who::lane_mask & ~(m_launch->facts.config.vector_length - 1);
  m_running = &m_main;
  if (next->status == LaneStatus::fresh) {
    m_next = next;
    jump(m_fibers.take());
  } else {
    jump(next->fiber);
  }
  // Back on the worker's own stack: a host thread again.
  hot = idle;
  if (m_ran_away) abandon_lanes();
  if (m_alive == 0 && !m_uninit.empty()) detect::end_interval(*this, m_floor);
  if (m_alive == 0 && m_counts_warps) count_all_warps();
  if (m_alive == 0) finish_recording();
  return m_alive == 0;
}

void Team::refresh_ranges() {
  if (!m_checked) {  // nothing is looked at
    hot.scratch_bytes = hot.global_bytes = 0;
    hot.ignore_begin = 0;
    hot.ignore_bytes = ~std::uintptr_t{0};
    return;
  }
  hot.scratch_begin = m_scratch.begin();
  hot.scratch_bytes = m_scratch.extent();
  hot.scratch_cells = m_scratch.cells();
  hot.global_bytes = arena::global_bytes;
  refresh_index();
  if (!shard.on()) return;  // otherwise slow_access decides
  hot.global_bytes = 0;
  if (m_owned) return;
  hot.scratch_bytes = 0;
  hot.scratch_cells = nullptr;
  if (m_logged) return;
  hot.warp_next = &others_team;
  hot.warp_uncommon = true;
  hot.others_bytes = m_scratch.extent();
}

void Team::make_current(LaneState& lane) {
  lane.status = LaneStatus::ready;
  hot.lane = &lane;
  refresh_stamps(lane);
  hot.call_top = lane.call_top;
  if (m_checked) {
    hot.ignore_begin = lane.fiber->stack_begin;
    hot.ignore_bytes = lane.fiber->stack_bytes;
  }
  if (m_logged) [[unlikely]] enter_logs(lane.lane.index);
}

void Team::enter_logs(std::uint32_t lane) {
  if (m_counts_warps)
    m_warp_log->enter(lane);
  else
    hot.warp_next = &only_traced;
  if (m_traced) m_trace->enter(lane);
}

void Team::leave_logs(std::uint32_t lane) {
  if (m_counts_warps) m_warp_log->leave(lane);
  if (m_traced) m_trace->leave();
  hot.warp_next = nullptr;
}

void Team::leave_current() {
  if (!m_pending.empty()) resolve_pending();
  hot.lane->call_top = hot.call_top;
  if (m_logged) [[unlikely]] leave_logs(hot.lane->lane.index);
}

void Team::cut_recording() {
  m_trace->take(m_recording);
  m_launch->commit->add_pieces(m_league_rank, m_recording);
}

void Team::finish_recording() {
  if (!m_traced) return;
  if (hot.trace_next != nullptr) m_trace->leave();  // a lane that crashed
  m_trace->take(m_recording);
}

void Team::resolve_pending() {
  std::vector<bool> values;  // which of them left memory as it was
  if (trace::replaying()) {
    values = m_replay->same_values(m_pending.size());
  } else {
    for (PendingStore const& store : m_pending)
      values.push_back(std::memcmp(reinterpret_cast<void const*>(store.address), store.before, store.bytes) == 0);
    if (m_traced) trace::note_same_values(values);
  }
  std::size_t number = 0;
  std::unique_lock const lock(m_stores_mutex);
  for (PendingStore& store : m_pending) {
    bool const same = values[number++];
    if (same && store.result) continue;  // of a collective: the construct's own
    if (same && store.same_thread && !options().strict) {  // redundant lanes, as Kokkos documents them
      if (options().enabled(Rule::same_value)) m_global_stores.count_redundant(store.race.pc);
      continue;
    }
    if (!store.race.scratch) {
      if (!options().enabled(store.key.rule) && !options().enabled(Rule::same_value)) continue;
      m_global_stores.add({store.key, store.race.word, same, store.same_thread},
                          [&] { return detect::describe_race(*this, store.race); });
      continue;
    }
    if (same) store.key.rule = Rule::same_value;
    if (!options().enabled(store.key.rule) || m_findings.count_again(store.key)) continue;
    detect::RawFinding finding = detect::describe_race(*this, store.race);
    if (same) detect::make_same_value(finding);
    detect::tell_debugger(finding, m_launch->facts, detect::LaneIs::gone_on);
    m_findings.add(store.key, std::move(finding));
    detect::halt_on_error(*this, *m_findings.find(store.key));
  }
  m_pending.clear();
}

detect::GlobalStores Team::global_stores_so_far() {
  std::unique_lock const lock(m_stores_mutex, std::chrono::seconds(1));
  return lock.owns_lock() ? m_global_stores : detect::GlobalStores();
}

void Team::note_shared_atomic(std::uint32_t pc) {
  if (std::find(m_shared_atomics.begin(), m_shared_atomics.end(), pc) != m_shared_atomics.end()) return;
  m_shared_atomics.push_back(pc);
  m_launch->commit->note_lane_atomic(pc, m_league_rank);
}

std::string& Team::output_of(LaneState const& lane) {
  m_printed = true;
  if (m_output.empty()) m_output.resize(m_count);
  return m_output[lane.lane.index];
}

// TeamSan's own code runs in every switch: hot.in_runtime is 1 then, and 0 only while a lane's function runs.
// ---- switching -----------------------------------------------------------------------------------------------------

void Team::fiber_main(transfer_t from) {
  Team* const team = static_cast<Team*>(from.data);
  team->m_leaving->context = from.fctx;
  team->m_running->announced.go_on_after(team->m_leaving->announced);
  team->run_lanes();
}

void Team::jump(Fiber* to) {
  Fiber& self = *m_running;
  m_leaving = m_running;
  m_running = to;
  if (m_exceptions.any() || to->exceptions.any()) [[unlikely]] exchange_exceptions(*m_leaving, *to);
  self.announced.leave_for(to->announced);
  transfer_t const from = jump_fcontext(to->context, this);
  // Whoever comes back here has set m_leaving to the fiber it left; a pooled fiber may serve another team by then.
  Fiber& left = *static_cast<Team*>(from.data)->m_leaving;
  left.context = from.fctx;
  self.announced.go_on_after(left.announced);
}

void Team::exchange_exceptions(Fiber& from, Fiber& to) {
  from.exceptions = m_exceptions;
  m_exceptions = std::exchange(to.exceptions, {});
}

void Team::run_lanes() {
  // The team may change between two lanes: an idle fiber is taken by whichever team needs one.
  for (Team* team = this;; team = hot.team) {
    LaneState* lane = team->m_next;
    while (lane != nullptr && lane->status == LaneStatus::fresh) {
      team->run_lane(*lane);
      lane = team->next_after(*lane);
      if (lane == nullptr) lane = team->when_stuck();
    }
    team->m_fibers.give_back(team->m_running);
    team->jump(lane != nullptr ? lane->fiber : &team->m_main);
  }
}

void Team::run_lane(LaneState& lane) {
  lane.fiber = m_running;
  lane.call_top = m_running->calls;
  make_current(lane);
  std::uint32_t const in_runtime = std::exchange(hot.in_runtime, 0u);
  try {
    m_launch->function(m_launch->kernel, lane.lane);
  } catch (std::exception const& e) {
    if (m_traced) trace::note_threw(lane, e.what());
    detect::lane_threw(*this, e.what());
  } catch (...) {
    if (m_traced) trace::note_threw(lane, nullptr);
    detect::lane_threw(*this, nullptr);
  }
  hot.in_runtime = in_runtime;
  trace::note(trace::EventKind::end);
  leave_current();
  lane.status = LaneStatus::done;
  m_ready.erase(position(lane));
  --m_alive;
  m_spun = 0;
  m_progress = true;
  m_last = &lane;
  if (m_alive != 0 && m_at_team_meeting == m_alive) complete_team_meeting(nullptr);
}

LaneState* Team::next_after(LaneState const& lane) {
  std::uint32_t const p = m_ready.after(position(lane));
  return p == LaneSet::none ? nullptr : &at_position(p);
}

void Team::wait(LaneState& lane) {
  LaneState* next = next_after(lane);
  if (next == nullptr) next = when_stuck();
  leave_current();
  m_last = &lane;
  if (next != &lane) switch_to(*next);
  make_current(lane);
}

void Team::switch_to(LaneState& lane) {
  if (lane.status == LaneStatus::fresh) {
    m_next = &lane;
    jump(m_fibers.take());
  } else {
    jump(lane.fiber);
  }
}

// ---- spinning ------------------------------------------------------------------------------------------------------

void Team::yield(Repetition what) {
  LaneState& lane = *hot.lane;
  hot.slice = spinning_slice;
  if (lane.no_switch != 0) return;
  m_spun += spinning_slice * static_cast<std::uint64_t>(what);
  LaneState* next = next_after(lane);
  leave_current();
  m_last = &lane;
  if (++m_yields > rounds * m_count) {
    m_yields = 0;
    jump(&m_main);  // resumed, or given up, by the worker
  } else if (next != nullptr && next != &lane) {
    switch_to(*next);
  }
  make_current(lane);
}

void Team::note_stray() {
  LaneState& lane = *hot.lane;
  if (++lane.strays < most_strays || lane.no_switch != 0) return;
  Collector::instance().note(
      fmt::format("kernel \"{}\": a lane was out of bounds {} times without an end; it was not run on, nor was its team",
                  m_launch->facts.config.label, with_commas(most_strays)));
  m_ran_away = true;
  leave_current();
  m_last = &lane;
  jump(&m_main);
}

// ---- counting ------------------------------------------------------------------------------------------------------

void Team::count_warp(std::uint32_t warp) {
  m_warp_log->flush(warp, [&](WarpRecord const& record, std::uint32_t w) { m_traffic.count(*this, record, w); });
}

void Team::count_all_warps() {
  for (std::uint32_t w = 0, end = m_warp_log->warp_of(m_count - 1) + 1; w != end; ++w) count_warp(w);
}

void Team::take_turns() {
  LaneState& lane = *hot.lane;
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

void Team::give_up() {
  finish_recording();
  detect::deadlock(*this);
  abandon_lanes();
}

void Team::abandon_lanes() {
  for (LaneState& l : m_lanes) {
    if (l.status == LaneStatus::done || l.status == LaneStatus::fresh) continue;
    m_fibers.abandon(l.fiber);
    l.status = LaneStatus::done;
  }
  m_alive = 0;
}

}  // namespace teamsan
