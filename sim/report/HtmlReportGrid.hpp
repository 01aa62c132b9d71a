/// The pictures of one warp access: which lane asks which bank for which word, and which lane touches which sector.
/// Decided from the offsets of the worst warp and the device's banks and sectors; a browser only draws it.
#pragma once

#include <teamsan/model/device/Device.hpp>
#include <teamsan/sim/report/Traffic.hpp>

#include <cstdint>
#include <vector>

namespace teamsan {

/// How a cell is coloured.
enum class CellKind : std::uint8_t {
  free,      ///< banks: the only word of its bank; sectors: every byte of the sector is used
  shared,    ///< banks: several lanes read or write the same word, which costs nothing; sectors: over half is used
  conflict,  ///< banks: the bank has to give several words one after the other; sectors: half or less is used
};

struct GridCell {
  std::uint32_t lane;
  std::uint32_t column;  ///< bank, or index in GridColumns
  std::int64_t value;    ///< banks: the word, counted from the start of the data; sectors: bytes the lane touches
  CellKind kind;
};

struct GridColumn {
  std::int64_t name;   ///< bank, or sector counted from the start of the data
  std::uint32_t used;  ///< banks: the most words (atomics: lanes) that lanes served together want; sectors: bytes used
};

struct AccessGrid {
  std::vector<GridColumn> columns;
  std::vector<GridCell> cells;         ///< by lane, then column
  std::vector<std::uint32_t> turn_of;  ///< by lane: which of the groups that are served one after the other, from 1; 0: idle
  std::uint32_t turns = 0;             ///< groups; always 1 for sectors
};

/// Lanes by banks, for scratch. The sum over groups of the fullest bank is what model::count_shared gives.
AccessGrid bank_grid(AccessSite const& site, model::Device const& device);

/// Lanes by the sectors that they touch, for global memory.
AccessGrid sector_grid(AccessSite const& site, model::Device const& device);

}  // namespace teamsan
