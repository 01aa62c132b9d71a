// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How a race between the committing team and an earlier one is told, which was found where what the two did to a word joins
/// (WordJoin.hpp).
#pragma once

#include "../memory/GlobalShadow.hpp"
#include "GlobalRace.hpp"
#include "OrderedTeams.hpp"
#include "WordAccesses.hpp"
#include "WordPair.hpp"

#include <cstdint>

namespace teamsan::detect {

class WordRaces {
 public:
  WordRaces(CommitContext& context, std::uint64_t league_rank, FindingList& findings)
      : m_context(context), m_league_rank(league_rank), m_races(context, findings) {}

  /// By what the global shadow knows of the word, and what the team did to it.
  void tell(GlobalPlace const& place, GlobalWord const& g, WordAccesses const& d, WordPair const& pair);
  /// Where atomics may order teams.
  void tell(GlobalPlace const& place, OrderedTeams::Conflict const& conflict);

 private:
  CommitContext& m_context;
  std::uint64_t m_league_rank;
  TeamRaces m_races;
};

}  // namespace teamsan::detect
