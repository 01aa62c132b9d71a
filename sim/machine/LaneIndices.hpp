// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The indices that a launch's lanes are told apart by. Where iterations take one index apart, into a row and a column, say, by
/// quotients and remainders, these are its digits: of an index with `weights` of more than 1.
#pragma once

#include "../base/LaunchConfig.hpp"

#include <array>
#include <cstdint>

namespace teamsan {

/// The same launch, as far as it goes by its indices.
bool are_same(Indices const& a, Indices const& b);

struct LaneIndices {
  Indices indices;
  unsigned rank = 0;  ///< of the launch
  std::array<std::uint64_t, Indices::most> weights{1, 1, 1, 1, 1, 1};
  bool more = false;  ///< the last row is not whole: of some of these indices there are no lanes

  explicit LaneIndices(Indices const& of_launch) : indices(of_launch), rank(of_launch.rank) {}
  /// By what is divided in these records of accesses (entry/pass/Abi.h).
  LaneIndices(Indices const& of_launch, unsigned long long const* accesses, void const* functor, std::uint32_t context);
};

}  // namespace teamsan
