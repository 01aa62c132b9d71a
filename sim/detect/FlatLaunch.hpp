// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The rules for device memory in a flat launch (memory/FlatWord.hpp): global-race, same-value, unfenced-handover and
/// uninit-global, from what FlatShadow says of each word once all lanes have ended. Nothing orders two lanes but fences and
/// atomics. The first team has none; what lanes of later ones do behind theirs is kept with its tick, and whether that is
/// ordered, or was handed over, is asked as it is between teams (AtomicOrder.hpp, Handovers.hpp).
///
/// Which pairs of a word are told: Conflicts.hpp. Lanes that all stored the same value race, as in a launch that is judged team
/// by team.
#pragma once

#include "CrossTeam.hpp"
#include "GlobalStores.hpp"
#include "Uninit.hpp"
#include "../findings/NotJudged.hpp"
#include "../findings/RawFinding.hpp"
#include "../machine/Team.hpp"
#include "../memory/FlatShadow.hpp"

namespace teamsan::detect {

/// The running lane's latest stores are made: did they change what lanes of its team had stored there?
void settle_flat_stores(Team& team);
/// The running lane is about to make such a store.
void add_flat_store(Team& team, Access const& access);
/// The running lane reads by this access, from `address` on, what nothing had written before the launch, nor the lane itself.
void note_flat_uninit(Access const& access, std::uintptr_t address);
/// The first team, which was judged by itself, has read what nobody had written yet.
void note_unwritten_by_first(FlatShadow& flat, UninitReads const& reads);

/// Where what is found goes: stores that race to `stores`, which tell of those that changed nothing.
struct FlatFindings {
  FindingList& findings;
  GlobalStores& stores;
};
/// What the launch's words say of the first `teams` teams. `ended`: none of them runs any more, so that it is known what
/// atomics order. True: lanes race.
bool judge_flat_words(LaunchState const& launch, std::uint64_t teams, CommitContext& context, FlatFindings to,
                      bool ended = true);

}  // namespace teamsan::detect
