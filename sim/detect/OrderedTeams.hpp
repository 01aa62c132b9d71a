// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a commit asks where atomics order teams (AtomicOrder.hpp): is each of the committing team's accesses of a word
/// ordered with each that other teams made of it? Beside the first team's, which the global shadow keeps, SharedWords has
/// those of the others.
#pragma once

#include "CrossTeam.hpp"
#include "../memory/GlobalShadow.hpp"
#include "../memory/TeamShadow.hpp"

#include <array>
#include <optional>
#include <vector>

namespace teamsan::detect {

class OrderedTeams {
 public:
  OrderedTeams(CommitContext& context, std::uint64_t league_rank, TeamShadow const& shadow);

  /// Some team of the launch has released something.
  bool on() const { return m_on; }

  /// Has the committing team released or acquired something?
  bool takes_part() const { return m_log != nullptr; }

  /// Could atomics have ordered what this team did to the word with what others did to it?
  bool concerns(std::uintptr_t word_address, GlobalWord const& g);

  struct Conflict {
    PastAccess theirs, mine;
    bool hands_over;  ///< both teams released or acquired something
  };

  /// The pair of accesses of the line's word `w` that race, if any do; the team's own are kept for later teams.
  std::optional<Conflict> judge(std::uintptr_t word_address, GlobalWord const& g, Line const& line, unsigned w);

  /// Keeps them if the global shadow cannot: it has room for one access that reads and one that writes.
  void keep(std::uintptr_t word_address, Line const& line, unsigned w);

  /// What the first team did, which the global shadow is to know no more.
  void keep_first_team(std::uintptr_t word_address, GlobalWord const& g);

  /// Are two accesses of the team in the same order with all that others did?
  bool at_one_time(Mark const& a, Mark const& b) const;

  /// What AtomicOrder compares, 16 bits; unknown_tick: nothing can be said.
  static std::uint32_t tick_of(Mark const& mark);

  /// The same for the global shadow, which cannot tell what lanes store alike: unknown, and `keep` keeps the store.
  static std::uint32_t lone_tick_of(Mark const& mark);

  /// Which lanes do the same (AtomicOrder::Alike).
  static AtomicOrder::Alike alike(Who who, bool writes) {
    if (!writes) return AtomicOrder::Alike::thread;
    return who & who::result      ? AtomicOrder::Alike::team
           : who & who::redundant ? AtomicOrder::Alike::thread
                                  : AtomicOrder::Alike::none;
  }

 private:
  void collect(Line const& line, unsigned w);
  void collect(Mark const& first, Mark const& second, std::uint32_t bytes, bool writes);
  void collect(Mark const& mark, std::uint32_t bytes, bool writes);
  void collect_first_team(std::uintptr_t word_address, GlobalWord const& g);
  bool races(PastAccess const& theirs, PastAccess const& mine);
  bool ordered(PastAccess const& theirs, PastAccess const& mine);
  AtomicOrder::Log const* log_of(std::uint32_t team);

  CommitContext& m_context;
  std::uint64_t const m_league_rank;
  std::uint32_t const m_team;
  TeamShadow const& m_shadow;
  bool const m_on;
  AtomicOrder::Log const* m_log;
  // Latest answers, since a team's words mostly ask the same.
  struct KnownLog {
    std::uint32_t team = 0;  ///< plus 1
    AtomicOrder::Log const* log = nullptr;
  };
  struct Answer {
    std::uint64_t question = ~std::uint64_t{0};  ///< none: questions have 63 bits
    bool ordered = false;
  };
  std::array<KnownLog, 64> m_known_logs;
  std::array<Answer, 64> m_answers;
  std::vector<PastAccess> m_mine, m_theirs;
};

}  // namespace teamsan::detect
