// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Fold.hpp"

#include <algorithm>

namespace property {

void Fold::add(std::uint64_t v, std::int64_t i) {
  m_sum += v;
  m_product *= v | 1;
  m_and &= many_bits(v);
  m_or |= few_bits(v);
  m_all = m_all && is_true_for_all(v);
  m_some = m_some || is_true_for_some(v);
  if (v < m_min || (v == m_min && i < m_min_first)) m_min_first = i;
  if (v > m_max || (v == m_max && i < m_max_first)) m_max_first = i;
  if (v > m_max || (v == m_max && i > m_max_last)) m_max_last = i;
  m_min = std::min(m_min, v);
  m_max = std::max(m_max, v);
  if (is_true(v)) {
    m_first_true = std::min(m_first_true, i);
    m_last_true = std::max(m_last_true, i);
  } else {
    m_first_false = std::min(m_first_false, i);
  }
}

std::uint64_t Fold::result() const {
  auto const bits = [](std::int64_t i) { return static_cast<std::uint64_t>(i); };
  switch (m_reduction) {
    case Reduction::sum:
      return m_sum;
    case Reduction::prod:
      return m_product;
    case Reduction::min:
    case Reduction::min_loc:
      return m_min;
    case Reduction::max:
    case Reduction::max_loc:
      return m_max;
    case Reduction::land:
      return m_all;
    case Reduction::lor:
      return m_some;
    case Reduction::band:
      return m_and;
    case Reduction::bor:
      return m_or;
    case Reduction::min_max:
    case Reduction::min_max_loc:
      return pair_of(m_min, m_max);
    case Reduction::min_first_loc:
      return pair_of(m_min, bits(m_min_first));
    case Reduction::max_first_loc:
      return pair_of(m_max, bits(m_max_first));
    case Reduction::min_max_first_last_loc:
      return pair_of(pair_of(m_min, bits(m_min_first)), pair_of(m_max, bits(m_max_last)));
    case Reduction::first_loc:
      return bits(m_first_true);
    case Reduction::last_loc:
      return bits(m_last_true);
    case Reduction::std_is_partitioned:
      return pair_of(bits(m_last_true), bits(m_first_false));
    case Reduction::std_partition_point:
      return bits(m_first_false);
  }
  return 0;
}

}  // namespace property
