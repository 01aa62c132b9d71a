// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The rules for device memory in a flat launch (memory/FlatWord.hpp): global-race, same-value, unfenced-handover and
/// uninit-global, from what FlatShadow says of each word once all lanes have ended. Nothing orders two lanes but fences and
/// atomics. The first team has none; what lanes of later ones do behind theirs is kept with its tick, and whether that is
/// ordered, or was handed over, is asked as it is between teams (AtomicOrder.hpp, Handovers.hpp).
///
/// Of each word one pair is told for each combination of kinds: the first two lanes in league order. Lanes that all stored
/// the same value race unless all are of one team, as in a launch that is judged team by team.
#pragma once

#include "CrossTeam.hpp"
#include "../findings/NotJudged.hpp"
#include "../findings/RawFinding.hpp"
#include "../machine/Team.hpp"
#include "../memory/FlatShadow.hpp"

#include <functional>
#include <utility>
#include <vector>

namespace teamsan::detect {

/// The running lane's latest stores are made: did they change what lanes of its team had stored there?
void settle_flat_stores(Team& team);
/// The running lane is about to make such a store.
void add_flat_store(Team& team, Access const& access);
/// The running lane reads by this access, from `address` on, what nothing had written before the launch, nor the lane itself.
/// `by_others`: other lanes have written some of it by now; the access is part of an atomic.
void note_flat_uninit(Access const& access, std::uintptr_t address, bool by_others);

/// An access that FlatShadow knows.
struct JoinedAccess {
  AccessKind kind;
  FlatShadow::Mark mark;
  std::uint32_t tick = 0;  ///< 0: nothing can have ordered it
};
inline AccessKind recorded_kind(JoinedAccess const& access) { return access.kind; }

/// Of a word or a byte.
struct Conflicts {
  /// For each two kinds that conflict, the first two lanes in league order that did so in no order. Who writes comes first.
  std::vector<std::pair<JoinedAccess, JoinedAccess>> pairs;
  bool lacks_some = false;  ///< those that are known are ordered, and there were more
};
/// `late`: accesses of those bytes by lanes that may be ordered. `kind_of` says what an access was in truth, `ordered` whether
/// atomics order two.
Conflicts conflicts(FlatShadow::Deeds const& deeds, std::vector<FlatShadow::Late> const& late = {}, bool lacks_late = false,
                    AccessKind (*kind_of)(JoinedAccess const&) = recorded_kind,
                    std::function<bool(JoinedAccess const&, JoinedAccess const&)> const& ordered = {});

/// What the launch's words say of the first `teams` teams goes to `findings`. `ended`: none of them runs any more, so that
/// it is known what atomics order. True: lanes race.
bool judge_flat_words(LaunchState const& launch, std::uint64_t teams, CommitContext& context, FindingList& findings,
                      bool ended = true);

}  // namespace teamsan::detect
