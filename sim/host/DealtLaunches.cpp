// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DealtLaunches.hpp"

#include <algorithm>

namespace teamsan {

std::uint32_t DealtLaunches::deal(std::uint64_t checking_cost) {
  auto const least = std::min_element(m_loads.begin(), m_loads.end());
  *least += checking_cost;
  return static_cast<std::uint32_t>(least - m_loads.begin());
}

}  // namespace teamsan
