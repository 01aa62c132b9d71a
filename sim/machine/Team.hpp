// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a rule needs of a team in flight: which one it is, what orders its lanes, where they stand, its memory, and what the
/// rules themselves keep of it. All of detect goes by this and by nothing else of a team (tests/style/rooms); how a team runs
/// is RunningTeam.hpp. Nothing here is virtual: an access asks.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/Synchronisation.hpp"
#include "LaneClock.hpp"
#include "LaneStand.hpp"
#include "LaunchState.hpp"
#include "Ordering.hpp"
#include "RunningLane.hpp"
#include "TeamNotes.hpp"
#include "../memory/Hot.hpp"
#include "../memory/Scratch.hpp"
#include "../memory/TeamShadow.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace teamsan {

class LaneResults;
struct LaneState;

/// Only as part of a RunningTeam.
class Team {
 public:
  Team(Team const&) = delete;
  Team& operator=(Team const&) = delete;

  // Which it is.
  LaunchState const& launch() const { return *m_launch; }
  std::uint64_t league_rank() const { return m_league_rank; }
  /// See RunningTeam::begin.
  std::uint64_t blocks_end() const { return m_blocks_end; }
  bool checked() const { return m_checked; }
  std::uint32_t lane_count() const { return m_count; }
  std::uint32_t vector_length() const { return m_launch->facts.config.vector_length; }
  LaneStand stand(std::uint32_t index) const;
  /// Of the running lane: the latest throw that was seen, or nullptr; where collectives have left its results.
  ThrowPlace const* thrown() const;
  LaneResults const& results() const;
  /// Of a lane that waits: whence it was called, innermost first.
  std::vector<Site> callers(std::uint32_t index) const;

  // Its memory.
  TeamShadow& shadow() { return *m_shadow; }
  Scratch& scratch() { return m_scratch; }
  Scratch const& scratch() const { return m_scratch; }

  // What orders its lanes.
  Sync sync() const { return m_clock.sync; }
  Runner runner() const {
    ThreadStamps const& thread = m_clock.threads[hot.lane->lane.thread];
    return {hot.me, m_clock.floor, std::max(m_clock.floor, thread.writes), std::max(m_clock.floor, thread.reads),
            hot.other_thread};
  }
  std::uint64_t interval() const { return m_clock.interval; }
  /// Where the current barrier interval began; 0: at the start of the kernel.
  Site last_barrier() const { return m_clock.last_barrier; }
  /// The meeting by which the CUDA backend orders an earlier access with the running lane, or nullptr.
  MeetingPlace const* cuda_orders(Who earlier) const;
  /// In the barrier interval, while Due::reads is set; of very many the first.
  std::vector<ThreadMeeting> const& thread_meetings() const { return m_clock.thread_meetings; }
  /// What the team released and acquired; nullptr: nothing.
  AtomicOrder::Log const* order_log() const { return m_clock.order_log; }

  // What the rules keep of the team, and what of it they wait to be told.
  detect::TeamChecks& checks() { return *m_checks; }
  detect::TeamChecks const& checks() const { return *m_checks; }
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

  // What a rule asks the machine to do.
  /// What the running lane does from here on has ticks of its own. Where it stands there.
  AtomicOrder::Standing begin_moment();
  /// The running lane has left its bounds once more. One that does so without end is not run on, and its team with it: a GPU
  /// would have stopped it at the first time, and what it touches would take all memory.
  void note_stray();

 protected:
  Team();
  ~Team();
  friend struct LaneTable;

  LaunchState const* m_launch = nullptr;
  std::uint64_t m_league_rank = 0;
  std::uint64_t m_blocks_end = 0;  ///< see RunningTeam::begin
  bool m_checked = true;
  std::uint32_t m_count = 0;
  std::vector<LaneState> m_lanes;
  LaneClock m_clock;
  Due m_due;

  // Kept from team to team.
  Scratch m_scratch;
  std::unique_ptr<TeamShadow> m_shadow;
  events::TeamChecks m_checks = events::make_team_checks();
};

}  // namespace teamsan
