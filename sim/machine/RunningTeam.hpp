// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One team in flight: its lanes, in what order they run, where they meet, and what they have done so far. A team lives
/// on one OS thread from its first lane to its last; it may be left while all its lanes spin, and resumed there.
///
/// Lanes run one at a time, each until it meets others, spins, or ends; then the next one in lane order runs. A lane
/// that has never waited needs no fiber of its own: it is called by the fiber whose lane ended before it.
#pragma once

#include "DecidedLaunch.hpp"
#include "Events.hpp"
#include "Fiber.hpp"
#include "Lane.hpp"
#include "LaneAccesses.hpp"
#include "LaneTurns.hpp"
#include "LoneLanes.hpp"
#include "Meetings.hpp"
#include "Patience.hpp"
#include "Polls.hpp"
#include "Team.hpp"
#include "TeamResult.hpp"
#include "TeamWatch.hpp"
#include "WarpLog.hpp"
#include "../memory/FlatWord.hpp"
#include "../memory/Hot.hpp"
#include "../trace/Answers.hpp"
#include "../trace/TeamTrace.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace teamsan {

class RunningTeam final : public Team {
 public:
  explicit RunningTeam(FiberPool& fibers) : m_fibers(fibers) {}

  /// Makes ready to run that team of that launch, with its scratch in that slot of the arena. `blocks_end`: it stands for all
  /// teams from there up to that one, which run in one call (BlocksFunction); 0: it is itself.
  void begin(LaunchState const& launch, std::uint64_t league_rank, std::uint32_t scratch_slot, std::uint64_t blocks_end = 0);

  /// Runs until all lanes are done (true), or until all that could run are spinning (false). `briefly`: they are likely to wait
  /// for what other workers do, which get on meanwhile.
  bool resume(bool briefly = false);

  /// A word that one of its lanes polled, when it last let others run, is not as it was.
  bool sees_change() const;

  /// One of its lanes got on since it was resumed.
  bool progressed() const { return m_patience.progress; }

  /// All lanes wait for something that will not come: makes the finding and gives the lanes up.
  void give_up();

  /// What lanes of the launch access, which the first lane of each team tells before it does anything. The launch's first team
  /// asks arithmetic then: memory that it changes would tell of other places than those that its own lanes go to.
  void note_lane_accesses(LaneAccesses const& of_lanes);
  /// What arithmetic said.
  Decision take_decision() { return std::exchange(m_decision, {}); }
  /// Nothing of the team counts: what it is to do is not known any more.
  void leave_unchecked() {
    m_checked = false;
    refresh_ranges();
  }
  /// What the team leaves behind; its shadow and what its checks found are gone until they are given back, or others.
  TeamResult take_result();
  void give_back(TeamResult&& result);
  /// Each lane ended before the next began; none fenced, touched memory in parts, or used atomics but to update.
  bool fits_flat();
  /// The same but for the meetings between a scan's steps.
  bool fits_flat_in_steps();
  bool found_nothing();
  /// Nothing is to be committed.
  bool left_nothing();

  // For the running lane.
  void meet_team(Meeting meeting, void* value, Combine combine, void const* context, Site site);
  /// Of the meeting to which the running lane comes next.
  void note_join(Join join) { m_meetings.join = join; }
  void meet_thread(Meeting meeting, void* value, Combine combine, void const* context, Site site);
  FirstStep first_step(void* value);
  /// See next_lane.
  bool next_alone();
  /// The running lane repeats itself: others get their turns. `word`: it polls that one.
  void yield(Repetition what, Polls::Word const* word = nullptr);
  /// It got on.
  void note_progress() {
    m_patience.progress = true;
    m_patience.spun = 0;
  }
  /// What the lanes spun through since one of them last got on, in repeated accesses.
  std::uint64_t spun() const { return m_patience.spun; }
  /// The lanes wait, by atomics, most likely for what other workers do meanwhile.
  bool waits_for_others() const { return m_patience.waits && m_patience.briefly; }
  /// The running lane's warp has logged enough: lets the other lanes come as far.
  void take_turns();
  WarpLog* warp_log() { return m_warp_log.get(); }
  /// What the team's lanes do again, in a replay.
  trace::Answers* script() { return m_script.get(); }
  /// What a lane prints.
  std::string& output_of(LaneState const& lane);
  /// The team does no more.
  void finish_recording();
  void refresh_ranges();
  /// Of accesses that are neither counted nor recorded.
  Watch unlogged_watch() const;

  // What the running lane orders by fences and atomics (AtomicOrder.hpp).
  /// Updates by atomics are a range's: its lanes tell each other nothing by them, whichever way it is judged.
  bool joins_updates() const { return m_launch->facts.config.is_range(); }
  /// Nothing was released or acquired in the launch, nor fenced by the team: an update orders nothing.
  bool orders_nothing() const { return m_clock.fence == 0 && !m_launch->atomic_order->used(); }
  /// An atomic that is more than an update: lanes may tell each other something by it.
  void note_signal() { m_clock.signals = true; }
  void note_fence();
  /// It changes the atomic at this address next. `ordered`: with a release order; otherwise its latest fence counts.
  void note_release(std::uintptr_t address, bool ordered);
  /// It has read or updated it.
  void note_acquire(std::uintptr_t address, bool replayed = false);
  /// A volatile load comes behind what the compiler calls for it: what it saw is known to be acquired only now.
  void settle_volatile_load() {
    if (hot.lane->volatile_load.address != 0) [[unlikely]] acquire_volatile_load();
  }

  /// Entry of every fiber.
  static void fiber_main(Transfer from);

 private:
  friend class Team;
  friend struct LaneTable;
  static std::uint32_t first_tick();
  void begin_lanes(bool as_before);
  void begin_watch();
  void run_lanes();
  void run_lane(LaneState& lane);
  /// Runs the lanes in their order for as long as each ends before the next one begins. The next one; nullptr: all have ended.
  LaneState* run_alone();
  LaneState* run_steps_alone();
  LaneState* run_blocks();
  bool take_step();
  bool meet_alone(LaneSteps const& steps);
  void leave_alone_by_throw(char const* what, std::uint32_t in_runtime);
  void all_ended();
  LaneState* go_on_with(std::uint32_t lane);
  void enter_alone(std::uint32_t lane);
  void enter_next(std::uint32_t lane);
  std::uint32_t busy_lanes() const;
  /// The running lane will be left before it has ended, or lanes are told apart from here on.
  void leave_alone();
  void call(LaneState const& lane);
  void end(LaneState& lane);
  void threw(LaneState const& lane, char const* what);
  void make_current(LaneState& lane);
  void go_on(LaneState& lane);
  [[gnu::noinline]] void go_on_watched(LaneState const& lane);
  void enter_flat(std::uint32_t lane) {
    hot.flat_lane = m_first_lane + lane;
    hot.flat_word = FlatWord::of_lane(m_launch->epoch, hot.flat_lane).bits();
  }
  /// The same for the lane behind it.
  void enter_next_flat();
  [[gnu::noinline]] void give_up_flat();
  void enter_next_log(std::uint32_t lane);
  bool next_alike(std::uint32_t next);
  void let_lanes_begin_in_line();
  [[gnu::noinline]] bool next_counted(std::uint32_t next);
  void leave_current();
  [[gnu::noinline]] void enter_logs(std::uint32_t lane);
  [[gnu::noinline]] void enter_trace(std::uint32_t lane);
  [[gnu::noinline]] void leave_logs(std::uint32_t lane);
  void settle_stores() {
    if (m_due.stores) [[unlikely]] events::stores_made(*this);
  }
  void end_interval() {
    if (!m_due.reads) [[likely]] return;
    events::interval_ended(*this, m_clock.floor);
    m_clock.thread_meetings.clear();
  }
  void cut_recording();
  void abandon_lanes();
  void run_away();

  LaneState* next_after(LaneState const& lane) {
    std::uint32_t const next = m_turns.after(lane.lane.index);
    return next == LaneTurns::none ? nullptr : &m_lanes[next];
  }
  LaneState* first_to_get_on(LaneState& first);
  std::uint32_t next_lanes_to_wait();
  LaneState* when_stuck();
  void wait(LaneState& lane);
  void switch_to(LaneState& lane);
  void let_run(LaneState& next);
  void jump(Fiber* to);
  [[gnu::noinline]] void exchange_exceptions(Fiber& from, Fiber& to);
  void complete_team_meeting(LaneState* last);
  void complete_thread_meeting(LaneState& last, Combine combine, void const* context);
  void release_team(Order order, Order on_cuda);
  void end_barrier_interval();
  void release_thread(std::uint32_t thread, Order order, Order on_cuda);
  void order_team(Order order, Order on_cuda);
  void order_thread(std::uint32_t thread, Order order, Order on_cuda);
  void forget_reads();
  void advance_tick();
  void refresh_stamps(LaneState const& lane) {
    ThreadStamps const& thread = m_clock.threads[lane.lane.thread];
    hot.floor = m_clock.floor;
    hot.me = std::max({m_clock.cuda_floor, thread.cuda, lane.event}) | lane.lane.index;
    hot.reads_before = std::max(m_clock.floor, thread.reads);
  }
  void refresh_index();
  void begin_segment();
  void begin_event(LaneState& lane);
  void acquire_volatile_load();
  AtomicOrder::Standing standing(LaneState const& lane) const;
  std::uint32_t latest_fence(LaneState const& lane) const;
  void renumber();
  void count_warp(std::uint32_t warp);
  void count_all_warps();

  FiberPool& m_fibers;
  ExceptionState* m_exceptions = nullptr;  ///< of the thread that runs the team: the running lane's
  LaneFunction m_function = nullptr;       ///< checked, or plain
  bool m_flat = false;                     ///< its lanes join what they do into the global shadow (memory/FlatWord.hpp)
  std::uint32_t m_first_lane = 0;          ///< of those of a flat launch
  Decision m_decision;
  std::int32_t m_slice = 0;

  LaneTurns m_turns;
  std::uint32_t m_alive = 0;
  LaneState* m_next = nullptr;  ///< fresh lane for the fiber being entered
  LaneState* m_last = nullptr;  ///< lane that ran last, where to go on when resumed
  Fiber m_main;
  Fiber* m_running = nullptr;
  Fiber* m_leaving = nullptr;

  LoneLanes m_lone;
  Patience m_patience;
  Polls m_polls;
  Meetings m_meetings;
  bool m_threads_met = true;  ///< m_clock.threads and m_meetings.at_thread are not as new
  TeamWatch m_watch;

  // Kept from team to team.
  std::unique_ptr<WarpLog> m_warp_log;
  std::unique_ptr<trace::TeamTrace> m_trace;
  std::unique_ptr<trace::Answers> m_script;
  std::vector<std::string> m_output;
};

/// Whose lane runs on this thread, and the whole of that lane.
inline RunningTeam& running_team() { return static_cast<RunningTeam&>(*hot.team); }
inline LaneState& running_lane() { return static_cast<LaneState&>(*hot.lane); }

}  // namespace teamsan
