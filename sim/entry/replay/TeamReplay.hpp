// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A team whose lanes do again what a trace says. Each lane runs as a lane of a kernel does, and takes its events one
/// by one from the team's bytes, which hold them in the order of the recording. Where lanes come in another order now
/// (the machine model makes them take turns), events of others wait until these ask for them. What the checks ask of a
/// running program (whether a store changed memory, whether atomics had ordered two lanes) the trace answers.
#pragma once

#include "LaneReplay.hpp"
#include "../../trace/Answers.hpp"
#include "../../../traces/EventDecoder.hpp"
#include "../../../traces/TraceFile.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace teamsan {
class RunningTeam;
struct Lane;
}  // namespace teamsan

namespace teamsan::trace {

class RecordedTeams;
class ReplayedTrace;

class TeamReplay : public Answers {
 public:
  explicit TeamReplay(RecordedTeams& teams);

  /// The team whose first piece stands there.
  void begin(std::uint64_t launch, std::uint64_t league_rank, std::uint32_t lanes, traces::Position first);

  /// The running lane's whole work.
  void run_lane(RunningTeam& team, Lane const& lane);

  bool next(traces::EventKind kind, Answer& answer) override;

 private:
  struct LaneEvents {
    std::deque<traces::Event> waiting;
    LaneReplay lane;
  };
  traces::Event const* peek(std::uint32_t lane);
  bool take(traces::EventKind kind, traces::Event& event);
  bool decode(std::uint32_t& lane, traces::Event& event);

  RecordedTeams& m_teams;
  ReplayedTrace& m_trace;
  std::uint64_t m_launch = 0, m_league_rank = 0;
  traces::Position m_next;       ///< of the team's next piece, or something before it
  bool m_last_piece = false;
  traces::Bytes m_piece;
  traces::EventDecoder m_decoder;
  static constexpr std::uint32_t steps_at_once = 1024;
  std::uint32_t m_decoded = 0;  ///< events that were not accounted for yet
  std::vector<LaneEvents> m_lanes;
};

}  // namespace teamsan::trace
