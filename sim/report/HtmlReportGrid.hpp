// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The pictures of one warp access: which lane asks which bank for which word, and which lane touches which
/// sector. Decided from the offsets of the worst warp and the device's banks and sectors; a browser only
/// draws it.
#pragma once

#include "../../model/device/Device.hpp"
#include "../findings/Traffic.hpp"

#include <cstdint>
#include <vector>

namespace teamsan {

/// How a cell is coloured.
enum class CellKind : std::uint8_t {
  free,      ///< banks: the only word of its bank; sectors: every byte of the sector is used
  shared,    ///< banks: several lanes want the same word, which costs nothing; sectors: over half is used
  conflict,  ///< banks: the bank has several words to give, in turn; sectors: half or less is used
};

/// What one lane wants of one bank or sector. `value`: the word, counted from the start of the data; for
/// sectors the bytes of it that the lane touches.
struct GridCell {
  std::uint32_t lane;
  std::uint32_t column;  ///< index in AccessGrid::columns
  std::int64_t value;
  CellKind kind;
};

/// A bank, or a sector that is touched. `used`: the most words (atomics: lanes) that lanes served together
/// want of the bank; the bytes of the sector that any lane touches.
struct GridColumn {
  std::int64_t name;  ///< the bank; the sector, counted from the start of the data
  std::uint32_t used;
};

/// Lanes are served in groups, one after the other (model::lanes_served_together); `turn_of` says in which.
struct AccessGrid {
  std::vector<GridColumn> columns;
  std::vector<GridCell> cells;         ///< by lane, then column
  std::vector<std::uint32_t> turn_of;  ///< by lane, from 1; 0: the lane takes no part
  std::uint32_t turns = 0;             ///< groups; 1 for sectors
};

/// Lanes by banks, for scratch. The sum over groups of the fullest bank is what model::count_shared gives,
/// but for atomics that take more than one instruction or operand.
AccessGrid bank_grid(AccessSite const& site, model::Device const& device);

/// Lanes by the sectors that they touch, for global memory. As many columns as model::count_global gives, but
/// for atomics, whose passes may move a sector again.
AccessGrid sector_grid(AccessSite const& site, model::Device const& device);

}  // namespace teamsan
