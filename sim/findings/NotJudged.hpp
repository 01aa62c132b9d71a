// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a launch could not judge in full, since it exceeded what some table has room for, or what a search may cost. Each
/// limit errs towards silence; so that silence is not taken for a verdict, a note at the end of the report names the
/// kernel, its first launch that met the limit, the first team in league order, and what may be missed.
#pragma once

#include "../base/PatientMutex.hpp"
#include "RawFinding.hpp"

#include <array>
#include <cstdint>
#include <mutex>

namespace teamsan::detect {

enum class Shortfall : std::uint8_t {
  old_accesses,    ///< of a team that synchronised too often (Team::renumber)
  events,          ///< AtomicOrder::Limits
  searches,        ///< AtomicOrder::Limits
  word_accesses,   ///< SharedWords: of one word
  words,           ///< SharedWords: of a launch
  earlier_marks,   ///< TeamShadow::lacks_earlier
  sites,           ///< SiteTable
  wide_league,     ///< more teams than can be told apart where atomics order them (CrossTeam.hpp)
  updates,         ///< LaneRedundant
  equal_stores,    ///< GlobalStores
  uninit_reads,    ///< UninitReads
  flat_order,      ///< FlatShadow: some of the lanes that share a word are ordered, and others are not known
  flat_words,      ///< FlatShadow
  count
};

class NotJudged {
 public:
  static constexpr std::uint64_t no_team = ~std::uint64_t{0};

  /// Thread-safe; teams may come in any order.
  void add(Shortfall shortfall, std::uint64_t team = no_team);

  /// Has any limit been met?
  bool any() const;

  /// The launch has ended, with that team if not the last one: makes the notes, each once for a kernel.
  void report(LaunchFacts const& launch, std::uint64_t last_team) const;

 private:
  struct Met {
    bool any = false;
    std::uint64_t first_team = no_team;
  };
  PatientMutex m_mutex;
  std::array<Met, static_cast<std::size_t>(Shortfall::count)> m_met;
};

}  // namespace teamsan::detect
