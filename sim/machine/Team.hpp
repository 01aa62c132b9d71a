// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What rules, reports and the compiler's calls may know of a team in flight, and ask of it. How it runs: RunningTeam.hpp.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/Synchronisation.hpp"
#include "LaneClock.hpp"
#include "LaneState.hpp"
#include "LaunchState.hpp"
#include "Ordering.hpp"
#include "Patience.hpp"
#include "TeamNotes.hpp"
#include "TeamResult.hpp"
#include "TeamWatch.hpp"
#include "WarpLog.hpp"
#include "../memory/Hot.hpp"
#include "../memory/Scratch.hpp"
#include "../memory/TeamShadow.hpp"
#include "../trace/Answers.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace teamsan {

/// Only as part of a RunningTeam.
class Team {
 public:
  Team(Team const&) = delete;
  Team& operator=(Team const&) = delete;

  std::uint64_t league_rank() const { return m_league_rank; }
  LaunchState const& launch() const { return *m_launch; }
  bool checked() const { return m_checked; }
  /// See RunningTeam::begin.
  std::uint64_t blocks_end() const { return m_blocks_end; }
  bool progressed() const { return m_patience.progress; }
  /// What the lanes spun through since one of them last got on, in repeated accesses.
  std::uint64_t spun() const { return m_patience.spun; }

  TeamShadow& shadow() { return *m_shadow; }

  // For the running lane.
  /// Its lanes wait, by atomics, most likely for what other workers do meanwhile.
  bool waits_for_others() const { return m_patience.waits && m_patience.briefly; }
  /// It has left its bounds once more. One that does so without end is not run on, and its team with it: a GPU would have
  /// stopped it at the first time, and what it touches would take all memory.
  void note_stray();
  /// What the team's lanes do again, in a replay.
  trace::Answers* script() { return m_script.get(); }
  WarpLog* warp_log() { return m_warp_log.get(); }
  bool counts_warps() const { return m_watch.counts_warps; }
  Scratch& scratch() { return m_scratch; }
  Runner runner() const {
    ThreadStamps const& thread = m_clock.threads[hot.lane->lane.thread];
    return {hot.me, m_clock.floor, std::max(m_clock.floor, thread.writes), std::max(m_clock.floor, thread.reads),
            hot.other_thread};
  }
  std::uint64_t interval() const { return m_clock.interval; }
  /// The meeting by which the CUDA backend orders an earlier access with the running lane, or nullptr.
  MeetingPlace const* cuda_orders(Who earlier) const;
  /// Where the current barrier interval began; 0: at the start of the kernel.
  Site last_barrier() const { return m_clock.last_barrier; }
  /// What the rules keep of the team.
  detect::TeamChecks& checks() { return *m_checks; }
  /// What the rules wait for, so that they are told of it.
  struct Due {
    bool stores = false;  ///< the running lane is left: its latest stores are made then
    bool reads = false;   ///< the barrier interval ends
    bool barrier = false;  ///< a barrier was passed
  };
  Due& due() { return m_due; }
  void await_end_of_lane() {
    m_due.stores = true;
    hot.lanes_ahead = 0;
  }
  Sync sync() const { return m_clock.sync; }
  /// What the running lane does from here on has ticks of its own. Where it stands there.
  AtomicOrder::Standing begin_moment();
  /// In the barrier interval, while Due::reads is set; of very many the first.
  std::vector<ThreadMeeting> const& thread_meetings() const { return m_clock.thread_meetings; }
  /// What the team released and acquired; nullptr: nothing.
  AtomicOrder::Log const* order_log() const { return m_clock.order_log; }
  /// Updates by atomics are a range's: its lanes tell each other nothing by them, whichever way it is judged.
  bool joins_updates() const { return m_launch->facts.config.is_range(); }
  /// An atomic that is more than an update: lanes may tell each other something by it.
  void note_signal() { m_signals = true; }
  /// Nothing was released or acquired in the launch, nor fenced by the team: an update orders nothing.
  bool orders_nothing() const { return m_clock.fence == 0 && !m_launch->atomic_order->used(); }
  std::string& output_of(LaneState const& lane);
  void note_progress() {
    m_patience.progress = true;
    m_patience.spun = 0;
  }
  static std::uint32_t first_tick();
  LaneState const& lane_state(std::uint32_t index) const { return m_lanes[index]; }
  std::uint32_t lane_count() const { return m_count; }

 protected:
  Team() = default;
  ~Team() = default;
  friend struct LaneTable;

  LaunchState const* m_launch = nullptr;
  std::uint64_t m_league_rank = 0;
  std::uint64_t m_blocks_end = 0;  ///< see RunningTeam::begin
  bool m_checked = true;
  bool m_signals = false;  ///< see note_signal
  std::uint32_t m_count = 0;
  std::vector<LaneState> m_lanes;
  LaneClock m_clock;
  Patience m_patience;
  TeamWatch m_watch;
  Due m_due;

  // Kept from team to team.
  std::unique_ptr<WarpLog> m_warp_log;
  std::unique_ptr<trace::Answers> m_script;
  Scratch m_scratch;
  std::unique_ptr<TeamShadow> m_shadow;
  events::TeamChecks m_checks = events::make_team_checks();
  std::vector<std::string> m_output;
};

}  // namespace teamsan
