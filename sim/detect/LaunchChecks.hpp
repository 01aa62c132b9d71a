// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the rules keep of one launch: the launch's side of every commit, and what can be told only once all teams have ended.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/PatientMutex.hpp"
#include "CrossTeam.hpp"
#include "GlobalStores.hpp"
#include "Handovers.hpp"
#include "LibraryCalls.hpp"
#include "MissingFence.hpp"
#include "RacedWords.hpp"
#include "TeamChecks.hpp"
#include "Uninit.hpp"
#include "../findings/NotJudged.hpp"
#include "../findings/RawFinding.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace teamsan {
struct LaneTable;
struct TeamResult;
}

namespace teamsan::detect {

class LaunchChecks {
 public:
  explicit LaunchChecks(LaunchState const& launch);

  /// See machine/LaunchEvents.hpp.
  bool commit(TeamResult& team);
  void teams_begin();
  std::optional<std::vector<std::uint32_t>> join_early(Team& team);
  /// Its first team, which was judged by itself, has left nothing that a flat launch cannot have: the others
  /// find it as their own. False: it is too much.
  bool turn_flat();
  /// As events::runs_unseen has it.
  bool runs_unseen(LaneRows const& rows);
  void end(std::uint64_t last_team, bool crashed);
  void report_so_far(bool quiet, std::span<std::pair<std::uint64_t, TeamFindings*> const> kept, std::span<Team* const> running,
                     std::function<void()> const& gathered);

  /// Lanes of a running team performed an atomic on the same word at this instruction, in no order (TeamOrder.hpp).
  void note_lane_atomic(Site site, std::uint64_t league_rank);

  /// The user's calls of Kokkos' atomics that are not in line.
  LibraryCalls& library_calls() { return m_library_calls; }

  /// Low halves of the addresses of those that the global shadow has numbers for.
  std::vector<Site> const& instructions() const { return m_context.sites.sites(); }

  /// Where limits that a team meets are noted.
  NotJudged& not_judged() { return m_context.not_judged; }

  /// What its teams hand over by atomics.
  Handovers& handovers() { return m_handovers; }

 private:
  friend struct teamsan::LaneTable;

  LaunchState const& m_launch;
  CommitContext m_context;
  Handovers m_handovers;
  PendingLaunch m_pending;
  FindingList m_findings;
  UninitReads m_uninit;
  GlobalStores m_global_stores;
  RacedWords m_raced_words{std::size_t{1} << 18};
  ReducedByTeams m_reduced;
  LibraryCalls m_library_calls;
  PatientMutex m_lane_atomics_mutex;
  std::map<Site, std::uint64_t> m_lane_atomics;  ///< instructions: the first team in league order
};

}  // namespace teamsan::detect
