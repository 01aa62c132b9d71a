// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Does it pay to look at what each lane of a kernel reads, one by one, for a launch to be decided (LaneValues::read_by_lanes)?
/// A look takes about a microsecond a lane, and is good for later launches until somebody writes to what was read; checked,
/// each element takes some eight nanoseconds more than decided (both measured on a kernel over lists of 40 neighbours).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace teamsan {

class LaneLooks {
 public:
  /// Asked where it would be needed. Where the look before was not worth it, ever more rarely.
  bool may_look() {
    if (m_reused >= m_needed) m_wanted = 0;
    return std::has_single_bit(++m_wanted);
  }
  /// It was done, so many elements in all.
  void looked(std::uint64_t lanes, std::uint64_t elements) {
    constexpr std::uint64_t lane_costs = 1000, element_saves = 8;
    m_needed = lanes * lane_costs / (std::max<std::uint64_t>(elements, 1) * element_saves) + 1;
    m_reused = 0;
  }
  /// A later launch was like the one that it was done for.
  void reuse() { ++m_reused; }

 private:
  std::uint64_t m_wanted = 0, m_reused = 0, m_needed = 1;
};

}  // namespace teamsan
