// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaunchSequence.hpp"

#include <bit>

namespace teamsan {

LaunchSequence::Turn LaunchSequence::next(std::uint64_t shape) {
  ++m_launches;
  auto const known = m_shapes.find(shape);
  bool const fresh = known == m_shapes.end() && m_shapes.size() < most_shapes;
  std::uint64_t& launches = known != m_shapes.end() ? known->second : fresh ? m_shapes[shape] : m_of_other_shapes;
  ++launches;
  return {m_launches <= first_ones || std::has_single_bit(launches), m_launches == 1, fresh};
}

}  // namespace teamsan
