// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How a flat array holds several components of each item, which decides what a warp's access costs:
/// neighbouring lanes work on neighbouring items, and a request moves as many sectors as its lanes' bytes
/// touch.
#pragma once

#include <Kokkos_Macros.hpp>

#include <cstddef>

namespace teamsan::patterns {

/// Array of structures: the components of an item lie side by side. Lanes read `components * sizeof(T)` bytes
/// apart.
struct AoS {
  static constexpr char const* name = "array of structures";
  KOKKOS_INLINE_FUNCTION static constexpr std::size_t at(std::size_t item, std::size_t component,
                                                         std::size_t /*items*/, std::size_t components) {
    return components * item + component;
  }
};

/// Structure of arrays, strided: one component of all items lies side by side, stride * component + item.
/// Lanes read sizeof(T) bytes apart: the fewest sectors.
struct Strided {
  static constexpr char const* name = "strided";
  KOKKOS_INLINE_FUNCTION static constexpr std::size_t at(std::size_t item, std::size_t component,
                                                         std::size_t items, std::size_t /*components*/) {
    return items * component + item;
  }
};

}  // namespace teamsan::patterns
