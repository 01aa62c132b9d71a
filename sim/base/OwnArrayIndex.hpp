// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string_view>

namespace teamsan {

/// An index outside an array that is a lane's own variable, or a member of one.
struct OwnArrayIndex {
  std::string_view name;  ///< "e", "particle.position"; empty: unknown
  std::int64_t index = 0;
  std::int64_t elements = 0;  ///< of an array of arrays, all of them
  std::uint32_t bytes = 0;    ///< of an element
  bool writes = false;
};

}  // namespace teamsan
