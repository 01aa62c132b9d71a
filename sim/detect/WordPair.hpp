// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the committing team and the first of those before it did to the same bytes of a word of device memory.
#pragma once

#include "../base/Access.hpp"
#include "../memory/GlobalShadow.hpp"
#include "WordAccesses.hpp"

#include <bit>
#include <cstdint>

namespace teamsan::detect {

struct WordPair {
  std::uint32_t common = 0;  ///< bytes; 0: they do not meet
  bool mine_writes = false, theirs_writes = false;
  bool found() const { return common != 0; }
  unsigned byte() const { return static_cast<unsigned>(std::countr_zero(common)); }

  /// At least one writes, not both atomic. `theirs` is of another team.
  static WordPair of_conflict(GlobalWord const& theirs, WordAccesses const& mine) {
    auto const meet = [](std::uint32_t common, AccessKind a, AccessKind b) { return common != 0 && teamsan::conflict(a, b); };
    AccessKind const i_write = access_kind(true, mine.write_atomic), i_read = access_kind(false, mine.read_atomic);
    AccessKind const they_write = access_kind(true, theirs.write_atomic), they_read = access_kind(false, theirs.read_atomic);
    std::uint32_t const they_wrote = theirs.written_by_first();
    if (meet(mine.written & they_wrote, i_write, they_write)) return {mine.written & they_wrote, true, true};
    if (meet(mine.written & theirs.read, i_write, they_read)) return {mine.written & theirs.read, true, false};
    if (meet(mine.read & they_wrote, i_read, they_write)) return {mine.read & they_wrote, false, true};
    return {};
  }
};

}  // namespace teamsan::detect
