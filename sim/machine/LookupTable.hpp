// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A table in memory of which each lane takes one element, at a place that is affine in the lane's indices: idx(i), say. Where
/// no two lanes find the same number there, what lies at x(idx(i)) is each lane's own.
#pragma once

#include "../base/LaunchConfig.hpp"

#include <array>
#include <cstdint>

namespace teamsan {

struct LookupTable {
  using Wide = __int128;
  static constexpr Wide any = Wide{1} << 64;

  std::uint64_t base = 0;  ///< the element's address, as a LaneValue
  std::array<std::uint64_t, Indices::most> step{};
  unsigned bytes = 0;
  bool is_signed = false;
  Wide from = -any, to = any;  ///< of the lanes that count, by what they found there
  Wide least = 0, most = 0;    ///< so they found at the least and the most
  bool operator==(LookupTable const&) const = default;

  bool is_same_memory(LookupTable const& other) const {
    return base == other.base && step == other.step && bytes == other.bytes && is_signed == other.is_signed;
  }
  /// Do all of these lanes find numbers of their own? It is known that they may all look. False: or it is not worth a look.
  bool is_distinct(Indices const& lanes) const;
};

/// Of a value: `times` what a lane finds in a table, and whatever else makes lanes differ, and up to `rest` more.
struct TableShare {
  std::uint32_t table = 0;  ///< its number from 1 on; 0: there is none
  std::int64_t times = 0;
  std::uint64_t rest = 0;
};

}  // namespace teamsan
