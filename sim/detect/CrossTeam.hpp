// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// global-race between teams. Nothing orders two teams of a launch but what atomics do (OrderedTeams.hpp), so what a team
/// did to global memory conflicts with what any other team did to the same bytes, unless both only read, or both were
/// atomic. Teams are committed in league order; the first team to touch a word in a launch stands for the earlier ones (see
/// GlobalShadow.hpp why that is enough). Where atomics order any teams of a league of more than 2^24, they order all: a note
/// says so (NotJudged.hpp).
#pragma once

#include "../../traces/Site.hpp"
#include "Handovers.hpp"
#include "RaceCure.hpp"
#include "RacedWords.hpp"
#include "SharedWords.hpp"
#include "SiteTable.hpp"
#include "Uninit.hpp"
#include "../findings/NotJudged.hpp"
#include "../findings/RawFinding.hpp"
#include "../machine/AtomicOrder.hpp"

#include <atomic>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace teamsan {
class TeamShadow;
}

namespace teamsan::detect {

struct TeamFindings;

/// The launch's side of the commit.
struct CommitContext {
  std::uint32_t epoch;
  std::uint32_t vector_length;
  bool wide_league;          ///< see GlobalShadow.hpp
  bool report;               ///< global-race is on, or unfenced-handover
  AtomicOrder* atomic_order;
  SiteTable sites = {};
  KnownSites known_sites{sites};  ///< the committing team's
  SharedWords shared_words = {};
  std::unordered_set<Site> shared_atomics = {};  ///< see TeamOrder.hpp
  bool raced = false;
  std::atomic<bool> read_atomically = false;  ///< by some team: then a plain reader may have to stand for an atomic one
  bool joins_early = false;  ///< some teams do (EarlyJoin.hpp)
  bool taken_out = false;    ///< and some of what they joined was taken out again
  NotJudged not_judged = {};
  UninitReads const* uninit = nullptr;  ///< the committing team's reads of what it had not written
  /// What AtomicOrder answered of the committing team: kept for a trace, or taken from one.
  using Verdicts = std::unordered_map<std::uint64_t, bool>;
  Verdicts* verdicts = nullptr;
  Verdicts const* recorded_verdicts = nullptr;
  Handovers* handovers = nullptr;
  Between between = Between::teams;  ///< what a user sees of two blocks: of a range, its iterations
  std::uint32_t team_size = 1;
  /// nullptr: each pair of teams is told for itself.
  RacedWords* raced_words = nullptr;
  TeamFindings* found = nullptr;  ///< the committing team's
};

/// Commits a team's lines, or those that it has left of them; conflicts become findings of the team.
void commit(CommitContext& context, std::uint64_t league_rank, TeamShadow& shadow, FindingList& findings,
            std::vector<std::uint32_t> const* left = nullptr);

}  // namespace teamsan::detect
