// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A race on device memory between lanes of one launch that nothing orders, as it is told: the same sentences, whoever found
/// it (WordRaces.cpp, FlatLaunch.cpp).
#pragma once

#include "../../traces/Site.hpp"
#include "Handovers.hpp"
#include "RaceCure.hpp"
#include "RacedWords.hpp"
#include "../findings/RawFinding.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace teamsan {
struct Allocation;
}

namespace teamsan::detect {

struct CommitContext;

/// What one of the two did.
struct GlobalSide {
  bool writes, atomic;
  std::uint64_t team;
  std::uint32_t lane, tick;
  Site site;
  std::array<Site, 2> read;  ///< where it, or its team, has read what it writes; none: it has not, or that is unknown

  AccessKind kind() const;
  RawSide raw() const;
  HandedAccess handed() const { return {team, lane, tick, site, atomic}; }
};

/// A word, and the allocation where it lies, of which nothing may be known.
struct GlobalPlace {
  std::uintptr_t address;
  Allocation const* allocation;
  std::uint64_t serial() const;
};

/// How the word may be ordered otherwise.
enum class Handing : std::uint8_t {
  none,
  elsewhere,  ///< both teams release or acquire something
  told,       ///< it was handed over without a release, and that is told
  word        ///< the word is the one that their atomics change
};

/// Is it an atomic that exchanges what is there, as locks are taken?
bool takes_lock(Site site);
/// Says that the word is a lock, which `taken` takes by an atomic and a plain store gives back.
void explain_unlock(RawFinding& race, Site taken);

/// Says that the word is one that others change by atomics, as the two, which store to it on one line, are to do.
void explain_store_to_word(RawFinding& race);

/// Says of data that two lanes race on, each behind an atomic by which it took the same word, that this word is a lock that a
/// plain store gives back, where that is known by now.
void explain_locks(FindingList& findings, Handovers const& handovers, RacedWords& raced);

/// Who writes comes first. Without a key.
RawFinding global_race(std::uintptr_t address, Between between, GlobalSide const& first, GlobalSide const& second,
                       Handing handing = Handing::none);

/// Races between the committing team and earlier ones.
class TeamRaces {
 public:
  TeamRaces(CommitContext& context, FindingList& findings) : m_context(context), m_findings(findings) {}

  /// True: as a race, under the key of one.
  bool tell(GlobalPlace const& place, GlobalSide const& theirs, GlobalSide const& mine, bool hands_over = false);
  /// The same of a word on which iterations race: what the two teams did to it is added to what is known, and the pairs that
  /// were first are told. `byte`: the address of one that all `accesses` touch; those of other bytes are known apart.
  /// `kinds`: by which the committing team's access conflicts. False: nothing more can be kept.
  bool tell_first(GlobalPlace const& place, std::uintptr_t byte, std::vector<JoinedAccess> const& accesses, std::size_t kinds);
  /// Was the word handed over from the one to the other by atomics, without a release? Then that is told, or the word is one
  /// that their atomics change.
  Handing handed_over(GlobalPlace const& place, GlobalSide const& a, GlobalSide const& b);

 private:
  GlobalSide side(RacedWords::Word const& word, JoinedAccess const& access) const;
  /// global_race, of a word that may be a lock.
  RawFinding race(std::uintptr_t address, GlobalSide const& first, GlobalSide const& second, Handing handing) const;
  enum class Told : std::uint8_t { no, yes, of_word };
  Told tell_handover(GlobalPlace const& place, GlobalSide const& earlier, GlobalSide const& later);

  CommitContext& m_context;
  FindingList& m_findings;
};

}  // namespace teamsan::detect
