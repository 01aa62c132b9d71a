// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Holds what was found against what the oracle expects.
#pragma once

#include "Machine.hpp"
#include "Oracle.hpp"

#include <string>
#include <vector>

namespace property::bytes {

struct Disagreement {
  std::vector<std::string> invented;  ///< findings that are not true
  std::vector<std::string> missed;    ///< true ones, of which none was made
  bool none() const { return invented.empty() && missed.empty(); }
  std::string text() const;
};

Disagreement compare(Case const& c, Expected const& expected, std::vector<Found> const& found);
/// The first half of it, for a shard, which finds a part.
Disagreement compare_invented(Case const& c, Expected const& expected, std::vector<Found> const& found);

}  // namespace property::bytes
