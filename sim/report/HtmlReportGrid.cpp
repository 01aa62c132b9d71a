// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HtmlReportGrid.hpp"

#include "../../model/device/SharedMemory.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace teamsan {
namespace {

/// Where the data is pretended to start: far from 0, so that offsets before it stay positive.
constexpr std::uint64_t base = std::uint64_t{1} << 48;

/// The warp's addresses, true modulo 256 bytes, which is what banks and sectors look at.
struct Addresses {
  std::array<std::uint64_t, model::max_warp_width> by_lane{};
  std::uint64_t start;
  std::uint64_t active;

  Addresses(AccessSite const& site, std::uint32_t warp_width)
      : start(base + site.worst.misalignment), active(site.worst.active) {
    for (std::size_t lane = 0; lane < by_lane.size(); ++lane)
      by_lane[lane] = start + static_cast<std::uint64_t>(site.worst.offsets[lane]);
    if (warp_width < 64) active &= (std::uint64_t{1} << warp_width) - 1;
  }
  bool has(std::uint32_t lane) const { return (active >> lane & 1) != 0; }
};

/// Calls visit(unit) for each unit of `size` bytes that the lane touches.
template <class Visit>
void for_each_unit(Addresses const& addresses, std::uint32_t lane, std::uint32_t bytes, std::uint32_t size,
                   Visit visit) {
  std::uint64_t const first = addresses.by_lane[lane];
  for (std::uint64_t unit = first / size; unit <= (first + std::max(bytes, 1u) - 1) / size; ++unit)
    visit(unit);
}

}  // namespace

AccessGrid bank_grid(AccessSite const& site, model::Device const& device) {
  AccessGrid grid;
  Addresses const addresses(site, device.warp_width);
  bool const atomic = site.operation == model::Operation::atomic;
  std::uint64_t const first_word = addresses.start / device.bank_width;
  grid.turn_of.assign(device.warp_width, 0);
  for (std::uint32_t bank = 0; bank < device.banks; ++bank) grid.columns.push_back({bank, 0});

  model::WarpAccess const access{site.operation, site.bytes_per_lane, addresses.active, addresses.by_lane};
  for (std::uint64_t const group : model::lanes_served_together(device, access)) {
    ++grid.turns;
    // By bank and word, the lanes that want it.
    std::map<std::uint64_t, std::map<std::uint64_t, std::uint32_t>> wanted;
    auto const visit_group = [&](auto visit) {
      for (std::uint32_t lane = 0; lane < device.warp_width; ++lane)
        if ((group >> lane & 1) != 0)
          for_each_unit(addresses, lane, site.bytes_per_lane, device.bank_width,
                        [&](std::uint64_t word) { visit(lane, word % device.banks, word); });
    };
    visit_group([&](std::uint32_t lane, std::uint64_t bank, std::uint64_t word) {
      grid.turn_of[lane] = grid.turns;
      ++wanted[bank][word];
    });
    visit_group([&](std::uint32_t lane, std::uint64_t bank, std::uint64_t word) {
      auto const& words = wanted[bank];
      std::uint32_t const lanes_on_word = words.at(word);
      bool const waits = words.size() > 1 || (atomic && lanes_on_word > 1);
      CellKind const kind = waits               ? CellKind::conflict
                            : lanes_on_word > 1 ? CellKind::shared
                                                : CellKind::free;
      grid.cells.push_back(
          {lane, static_cast<std::uint32_t>(bank), static_cast<std::int64_t>(word - first_word), kind});
    });
    for (auto const& [bank, words] : wanted) {
      std::uint32_t load = static_cast<std::uint32_t>(words.size());
      if (atomic) {
        load = 0;
        for (auto const& [word, lanes] : words) load += lanes;
      }
      grid.columns[bank].used = std::max(grid.columns[bank].used, load);
    }
  }
  std::sort(grid.cells.begin(), grid.cells.end(), [](GridCell const& a, GridCell const& b) {
    return std::pair(a.lane, a.column) < std::pair(b.lane, b.column);
  });
  return grid;
}

AccessGrid sector_grid(AccessSite const& site, model::Device const& device) {
  AccessGrid grid;
  Addresses const addresses(site, device.warp_width);
  std::uint64_t const first_sector = addresses.start / device.sector_bytes;
  grid.turns = 1;
  grid.turn_of.assign(device.warp_width, 0);
  auto const visit_all = [&](auto visit) {
    for (std::uint32_t lane = 0; lane < device.warp_width; ++lane) {
      if (!addresses.has(lane)) continue;
      std::uint64_t const begin = addresses.by_lane[lane], end = begin + site.bytes_per_lane;
      for_each_unit(addresses, lane, site.bytes_per_lane, device.sector_bytes, [&](std::uint64_t sector) {
        visit(lane, sector, std::max(begin, sector * device.sector_bytes),
              std::min(end, (sector + 1) * device.sector_bytes));
      });
    }
  };
  std::map<std::uint64_t, std::set<std::uint64_t>> used;  // bytes, by sector
  visit_all([&](std::uint32_t lane, std::uint64_t sector, std::uint64_t begin, std::uint64_t end) {
    grid.turn_of[lane] = 1;
    auto& bytes = used[sector];  // none, where a damaged report says so
    for (std::uint64_t byte = begin; byte < end; ++byte) bytes.insert(byte);
  });
  std::map<std::uint64_t, std::uint32_t> column_of;
  for (auto const& [sector, bytes] : used) {
    column_of[sector] = static_cast<std::uint32_t>(grid.columns.size());
    grid.columns.push_back(
        {static_cast<std::int64_t>(sector - first_sector), static_cast<std::uint32_t>(bytes.size())});
  }
  visit_all([&](std::uint32_t lane, std::uint64_t sector, std::uint64_t begin, std::uint64_t end) {
    std::uint32_t const column = column_of.at(sector), bytes = grid.columns[column].used;
    CellKind const kind = bytes * 2 <= device.sector_bytes ? CellKind::conflict
                          : bytes < device.sector_bytes    ? CellKind::shared
                                                           : CellKind::free;
    grid.cells.push_back({lane, column, static_cast<std::int64_t>(end - begin), kind});
  });
  return grid;
}

}  // namespace teamsan
