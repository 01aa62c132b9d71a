// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A number as the lanes of a launch compute it, each its own: what is known of all of them.
#pragma once

#include "../base/LaunchConfig.hpp"
#include "LookupTable.hpp"

#include <array>
#include <cstdint>
#include <numeric>

namespace teamsan {

using Wide = __int128;

/// Of a number with a sign, in 64 bits.
inline std::uint64_t magnitude(std::uint64_t step) { return static_cast<std::int64_t>(step) < 0 ? -step : step; }

/// A multiple of `grain`, from 0 to `slack`, which is one: a loop's counter, say, that turns in a lane.
struct Spread {
  std::uint64_t grain = 0, slack = 0;
  bool operator==(Spread const&) const = default;
};
using Spreads = std::array<Spread, 3>;

/// base + step[0] * index 0 + ... + e, of which 64 bits count: e is the sum of one of each spread, others each time that a lane
/// computes it.
struct LaneValue {
  enum class Known : std::uint8_t { bounds, nothing, never_computed };
  std::uint64_t base = 0;
  std::array<std::uint64_t, Indices::most> step{};
  Spreads spreads{};  ///< those of no slack last
  Known known = Known::bounds;
  std::uint8_t modulo = 0;  ///< not 0: so many bits of it count, without a sign, and it may go beyond these
  TableShare share{};       ///< of e, what comes of a table

  std::uint64_t slack() const { return spreads[0].slack + spreads[1].slack + spreads[2].slack; }
  /// e is a multiple of it; 0: none.
  std::uint64_t grain() const { return std::gcd(spreads[0].grain, std::gcd(spreads[1].grain, spreads[2].grain)); }
  /// Of no more slack in all than is known to fit.
  void add(Spread const& more) {
    if (more.slack == 0) return;
    for (Spread& s : spreads)
      if (s.slack == 0 || s.grain == more.grain) {
        s = {more.grain, s.slack + more.slack};
        return;
      }
    spreads = {Spread{std::gcd(grain(), more.grain), slack() + more.slack}};
  }
};

/// Bytes from `begin` to `end` that one access of all lanes may touch; they begin with multiples of `grain` behind `first`.
struct Reach {
  std::uintptr_t begin = 0, end = 0, first = 0;
  std::uint64_t grain = 0;  ///< 0: one place
};

}  // namespace teamsan
