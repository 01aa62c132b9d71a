// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which launches of one kernel are looked at, ever more rarely: its first 8, and of each shape (LaunchShape.hpp) the 1st, 2nd,
/// 4th, 8th and so on. Beyond so many shapes the others count as one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace teamsan {

class LaunchSequence {
 public:
  static constexpr std::uint64_t first_ones = 8;
  static constexpr std::size_t most_shapes = 64;

  struct Turn {
    bool due;       ///< it is to be looked at
    bool is_first;  ///< the kernel's
    bool new_shape;
  };
  /// The kernel's next launch.
  Turn next(std::uint64_t shape);

 private:
  std::uint64_t m_launches = 0, m_of_other_shapes = 0;
  std::unordered_map<std::uint64_t, std::uint64_t> m_shapes;  ///< launches of each
};

}  // namespace teamsan
