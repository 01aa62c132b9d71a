// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Does it pay to look at what each lane of a kernel reads, one by one, for a launch to be decided (LaneValues::read_by_lanes)?
/// A look takes about a microsecond a lane, and is good for later launches until somebody writes to what was read; checked,
/// each element takes some eight nanoseconds more than decided (both measured on a kernel over lists of 40 neighbours). A look
/// that finds at a late lane that nothing can be decided costs as much, and counts.
#pragma once

#include <algorithm>
#include <cstdint>

namespace teamsan {

class LaneLooks {
 public:
  /// Asked by a launch where it would be needed. Where the look before was not worth it, ever more rarely.
  bool may_look() {
    if (m_reused >= m_needed) m_passes = m_pause = 0;
    if (m_passes != 0 && --m_passes != 0) return false;
    m_passes = m_pause + (m_pause != 0);
    m_pause = 2 * m_pause + 1;
    return true;
  }
  /// It was done, so many elements in all.
  void looked(std::uint64_t lanes, std::uint64_t elements) {
    m_failures = 0;
    owe(launches_that_pay(lanes, lanes, elements));
  }
  /// It came to nothing, so many of the lanes and elements on. A first launch may find what was not written yet; from the third
  /// time on what it took is not to be taken again for as many launches as would have paid for it.
  void failed(std::uint64_t looked_at, std::uint64_t lanes, std::uint64_t elements) {
    if (++m_failures < 3) return;
    std::uint64_t const needed = launches_that_pay(looked_at, lanes, elements);
    owe(needed);
    m_passes = std::max(m_passes, needed);
    m_pause = std::max(m_pause, needed);
  }
  /// A later launch was like the one that it was done for.
  void reuse() { ++m_reused; }

 private:
  static std::uint64_t launches_that_pay(std::uint64_t looked_at, std::uint64_t lanes, std::uint64_t elements) {
    constexpr std::uint64_t lane_costs = 1000, element_saves = 8;
    std::uint64_t const all = std::max(elements, looked_at) * lanes / std::max<std::uint64_t>(looked_at, 1);
    return looked_at * lane_costs / (std::max<std::uint64_t>(all, 1) * element_saves) + 1;
  }
  void owe(std::uint64_t launches) {
    m_needed = launches;
    m_reused = 0;
  }

  std::uint64_t m_reused = 0, m_needed = 1;
  std::uint64_t m_passes = 0;  ///< asked so often from now on, it may
  std::uint64_t m_pause = 0;   ///< after the next look
  std::uint64_t m_failures = 0;  ///< one after the other
};

}  // namespace teamsan
