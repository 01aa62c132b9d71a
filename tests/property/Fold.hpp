// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reductions done one contribution after the other: what every built-in reducer of Kokkos must give.
#pragma once

#include "Program.hpp"
#include "Semantics.hpp"

#include <cstdint>
#include <limits>

namespace property {

/// How a value counts for the reducers of truth values and positions.
inline bool is_true_for_all(std::uint64_t v) { return v % 8 != 0; }
inline bool is_true_for_some(std::uint64_t v) { return v % 8 == 0; }
inline bool is_true(std::uint64_t v) { return v % 4 == 0; }
inline std::uint64_t many_bits(std::uint64_t v) { return v | 0xff00ff00ff00ff00u; }
inline std::uint64_t few_bits(std::uint64_t v) { return v & 0x00ff00ff00ff00ffu; }
inline std::uint64_t pair_of(std::uint64_t a, std::uint64_t b) { return mix(a) + b; }

class Fold {
 public:
  explicit Fold(Reduction reduction) : m_reduction(reduction) {}
  void add(std::uint64_t value, std::int64_t index);
  std::uint64_t result() const;

 private:
  Reduction m_reduction;
  std::uint64_t m_sum = 0, m_product = 1, m_and = ~std::uint64_t{0}, m_or = 0;
  bool m_all = true, m_some = false;
  std::uint64_t m_min = std::numeric_limits<std::uint64_t>::max(), m_max = 0;
  std::int64_t m_min_first = std::numeric_limits<std::int64_t>::max(), m_max_first = m_min_first;
  std::int64_t m_max_last = std::numeric_limits<std::int64_t>::min();
  std::int64_t m_first_true = std::numeric_limits<std::int64_t>::max(), m_first_false = m_first_true;
  std::int64_t m_last_true = std::numeric_limits<std::int64_t>::min();
};

}  // namespace property
