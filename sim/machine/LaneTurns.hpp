// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// In which order a team's lanes have their turns, and which of them can. As new for each team.
#pragma once

#include "LaneSet.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace teamsan {

class LaneTurns {
 public:
  static constexpr std::uint32_t none = LaneSet::none;

  /// All lanes can run. `order`: position -> lane; nullptr: as they are numbered. It stays.
  void begin(std::uint32_t count, std::vector<std::uint32_t> const* order) {
    m_ready.fill(count);
    m_order = order;
    m_positions.clear();
    if (order == nullptr) return;
    m_positions.resize(count);
    for (std::uint32_t p = 0; p != count; ++p) m_positions[(*order)[p]] = p;
  }
  void end_all() { m_ready.fill(0); }
  /// The lane can run; or not any more.
  void insert(std::uint32_t lane) { m_ready.insert(position(lane)); }
  void erase(std::uint32_t lane) { m_ready.erase(position(lane)); }

  /// Of those that can run the first one; `none`: there is none.
  std::uint32_t first() const { return lane_at(m_ready.first()); }
  /// The first one behind that lane, going round; it comes last itself.
  std::uint32_t after(std::uint32_t lane) const { return lane_at(m_ready.after(position(lane))); }
  /// Of so many lanes with neighbouring numbers, whether they can run or not.
  std::uint32_t first_of(std::uint32_t from, std::uint32_t count) const {
    if (m_order == nullptr) return from;
    std::uint32_t first = position(from);
    for (std::uint32_t i = 1; i != count; ++i) first = std::min(first, position(from + i));
    return lane_at(first);
  }

 private:
  std::uint32_t position(std::uint32_t lane) const { return m_order == nullptr ? lane : m_positions[lane]; }
  std::uint32_t lane_at(std::uint32_t position) const {
    return m_order == nullptr || position == none ? position : (*m_order)[position];
  }

  LaneSet m_ready;
  std::vector<std::uint32_t> const* m_order = nullptr;
  std::vector<std::uint32_t> m_positions;  ///< of lanes, if there is an order
};

}  // namespace teamsan
