// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The variable that a source line declares with a piece of scratch: scratch has no label, but the line that obtained it
/// says what the program calls it. Decided from the text of that line and the one before; a declaration that spans more, or
/// one that is hidden in a function or a macro, has no name.
#pragma once

#include <string>
#include <string_view>

namespace teamsan {

/// "tile" for `Tile tile(member.team_scratch(0), 8);` and for `auto* tile = ...team_shmem()...;`. `column` (from 1; 0:
/// unknown) tells declarators of one line apart: it lies within the one that is meant. `previous`: the line before, where
/// the type may stand, without its comment. Empty: not known.
std::string declared_scratch(std::string_view line, unsigned column, std::string_view previous = {});

}  // namespace teamsan
