// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where teams end up: what each has done to shared state takes effect in league order, whichever worker ran it and
/// whenever it was done. Thus findings, printed output and the global shadow are those of teams run one by one.
#pragma once

#include "../base/PatientMutex.hpp"
#include "SpareShadows.hpp"
#include "Team.hpp"
#include "TeamResult.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <pthread.h>
#include <vector>

namespace teamsan {

class RunningTeam;

class CommitQueue {
 public:
  explicit CommitQueue(LaunchState const& launch) : m_launch(launch) {}

  /// The team is done. Returns when its effects are committed or kept for their turn; waits while too much is kept,
  /// unless the worker has other teams to run (`may_wait` is false).
  void add(RunningTeam& team, bool may_wait);

  /// A lane of the team crashed and the program is about to end: waits (for seconds at most) until the teams before it
  /// are committed, commits what the team did so far, and hands the launch's findings to the collector. Of several
  /// teams that crash the first in league order returns, the others never do.
  void add_crashed(Team& team);

  /// --halt-on-error: a running team has found an error. Waits (for seconds at most) until the teams before it are committed,
  /// commits what the team did so far and ends the program: the first team in league order speaks, if those before it end
  /// in time.
  void halt(Team& team);

  /// The program ends in the middle of the launch, whose workers may run on meanwhile: hands over what teams have found so
  /// far, whether committed, kept or running. What hangs on the launch's end is told of committed teams as it stands.
  /// False: all is reported already.
  bool report_so_far();

  /// The team left nothing behind: its turn passes, once the worker says so of many together, or asks for anything else.
  void leave_out_soon(std::uint64_t league_rank);
  /// It says so.
  void leave_out_now();

  /// Pieces of a running team's trace go to the file if it is the team's turn; else they stay where they are.
  void add_pieces(std::uint64_t league_rank, trace::TeamRecording& recording);

  /// Teams from `begin` up to `end` never ran: a trace does not have them.
  void pass_over(std::uint64_t begin, std::uint64_t end);

  /// So many, the first ones, are committed.
  std::uint64_t teams_done();

  /// All teams are done: hands the launch's findings to the collector.
  void finish();

 private:
  friend struct LaneTable;
  /// Teams, and bytes of shadow of theirs, to be kept at most.
  static constexpr std::size_t max_kept = 256;
  static constexpr std::size_t max_kept_bytes = 32 << 20;

  void begin_committing();
  void end_committing();
  /// Lines of a team's shadow that were not joined early.
  using Left = std::optional<std::vector<std::uint32_t>>;
  void keep(RunningTeam& team, Left&& left);
  void commit_kept(std::unique_lock<PatientMutex>& lock);
  void commit(TeamResult& result);
  void commit(RunningTeam& team, Left&& left = {});
  /// Its shadow and findings may serve another team.
  void spare(TeamResult& result);
  /// Of these teams nothing is to be committed.
  void leave_out(std::uint64_t begin, std::uint64_t end);
  /// The team is done, and so are those behind it that are left out.
  void turn_to_next(std::uint64_t next);
  /// Those whose turn has not come since a team before them runs on: what they have done is judged against each other's, which
  /// does not hang on the order of their commits. What they printed stays unprinted.
  void commit_kept_out_of_turn();
  /// The lock, once no team is being committed and `ready()`, within that time; else maybe the lock, and false.
  template <class Ready>
  bool await(std::unique_lock<PatientMutex>& lock, std::chrono::milliseconds patience, Ready ready);

  LaunchState const& m_launch;
  PatientMutex m_mutex;
  std::condition_variable_any m_room;
  std::uint64_t m_next = 0;
  std::map<std::uint64_t, std::uint64_t> m_absent;  ///< teams with nothing to commit: from, up to; those from m_next on
  bool m_committing = false;
  std::atomic<pthread_t> m_committer{};  ///< the thread that does so
  std::atomic<bool> m_crashed{false};
  std::atomic<bool> m_awaited{false};  ///< a crashed team waits for those before it
  std::atomic<bool> m_telling{false};  ///< the findings are on their way to the collector
  std::atomic<bool> m_reported{false};     ///< they are there
  std::map<std::uint64_t, TeamResult> m_kept;
  std::size_t m_kept_bytes = 0;
  SpareShadows& m_spare = SpareShadows::of_program();
  /// Kept as long as the launch: whoever tells of a running launch may still be reading them.
  std::vector<events::TeamFindings> m_spare_findings;
};

}  // namespace teamsan
