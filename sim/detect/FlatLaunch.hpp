// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The rules for device memory in a flat launch (memory/FlatWord.hpp): global-race, same-value and uninit-global, from what
/// FlatShadow says of each word once all lanes have ended. Nothing orders two lanes but fences and atomics: such a launch has
/// none in its first team, and of later ones a lane that released and one that acquired are not told to race (a note says so).
///
/// Of each word one pair is told for each combination of kinds: the first two lanes in league order. Lanes that all stored
/// the same value race unless all are of one team, as in a launch that is judged team by team.
#pragma once

#include "../findings/NotJudged.hpp"
#include "../findings/RawFinding.hpp"
#include "../machine/Team.hpp"
#include "../memory/FlatShadow.hpp"

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
};
inline AccessKind recorded_kind(JoinedAccess const& access) { return access.kind; }
/// Of a word or a byte: for each two kinds that conflict, the first two lanes in league order that did so. Who writes comes
/// first. `kind_of` says what an access was in truth.
std::vector<std::pair<JoinedAccess, JoinedAccess>> conflicts(FlatShadow::Deeds const& deeds,
                                                             AccessKind (*kind_of)(JoinedAccess const&) = recorded_kind);

/// What the launch's words say of the first `teams` teams goes to `findings`. True: lanes race.
bool judge_flat_words(LaunchState const& launch, std::uint64_t teams, FindingList& findings, NotJudged& not_judged);

}  // namespace teamsan::detect
