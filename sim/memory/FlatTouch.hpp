// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The slow way of an access of a flat launch's lane: by what its worker knows (FlatTable.hpp), into what all share
/// (FlatShadow.hpp).
#pragma once

#include "../../traces/Site.hpp"
#include "FlatShadow.hpp"
#include "FlatTable.hpp"

#include <optional>

namespace teamsan::flat {

/// A lane accesses the word at this address, or (`whole` false) the byte; `kind` as the compiler has it, `tick` as
/// FlatShadow::touch has it. Nothing: nobody may touch it, and nothing was noted.
std::optional<FlatShadow::Outcome> touch(FlatShadow& shadow, FlatTable& table, std::uintptr_t address, bool whole,
                                         AccessKind kind, FlatShadow::Mark mark, std::uint32_t tick = 0);

/// Asked before anything is known of the instruction, as begins_update.
AtomicPart part_of_atomic(Site site);

/// A lane is about to read by this instruction, of which its worker knows nothing. True: that begins an update, and is one
/// (FlatShadow::note_load_of_update). Asked before anything is noted of it, so that what is known of a word does not hang on
/// which block came to it first.
bool begins_update(FlatShadow& shadow, Site site);

/// By this instruction, which the table knows, the lane has updated a word that the other one has updated, too.
void note_shared(FlatShadow& shadow, FlatTable& table, Site site, std::uint32_t other, std::uint32_t lane);

}  // namespace teamsan::flat
