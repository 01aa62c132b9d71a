// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A team's ticks numbered anew, since a stamp (Cell.hpp) has room for 65,520 of them. What ticks tell is how they compare
/// with bounds: barriers, meetings, fences, releases and acquires. So all between two bounds become one, and
///   old < bound  <=>  map(old) < map(bound)
/// for every old tick: no comparison changes its answer. Tick 1 stays what it is (who::forgotten).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace teamsan {

class TickMap {
 public:
  /// `bounds` in any order; those that are no tick up to `latest` + 1 do not count.
  TickMap(std::vector<std::uint32_t> const& bounds, std::uint32_t latest) : m_new(std::size_t{latest} + 2) {
    for (std::uint32_t const bound : bounds)
      if (bound > 1 && bound < m_new.size()) m_new[bound] = 1;
    std::uint32_t next = 2;
    for (std::size_t tick = 2; tick < m_new.size(); ++tick) m_new[tick] = next += m_new[tick];
    m_new[1] = 1;
  }

  std::uint32_t operator()(std::uint32_t tick) const { return m_new[std::min<std::size_t>(tick, m_new.size() - 1)]; }

 private:
  std::vector<std::uint32_t> m_new;
};

}  // namespace teamsan
