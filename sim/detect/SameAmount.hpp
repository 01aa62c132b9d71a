// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// By how much atomic updates changed an element, as an integer or as a floating-point number of its size.
#pragma once

#include <cstdint>

namespace teamsan::detect {

struct Change {
  std::uint64_t before, after;
};

/// Did both change the element of `bytes` (up to 8) by the same amount?
bool same_amount(std::uint32_t bytes, Change const& a, Change const& b);

/// By a whole number that is small (an integer's by at most 65,535, or a floating-point number's 1), as what counts does.
bool is_count(std::uint32_t bytes, Change const& change);

/// By that number, as an integer or a floating-point one of `size` (4 or 8) bytes, or by its negative?
bool is_amount(std::uint32_t bytes, Change const& change, std::uint32_t size, std::uint64_t number);

}  // namespace teamsan::detect
