// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs a program on the host, lane by lane, by the definition of each construct and nothing of the
/// simulator's: what it computes, and what is wrong with it. For every element the oracle keeps every
/// accessor since the last barrier and compares each new access with all of them, so its verdict rests on the
/// definition of a race alone:
///
///   two lanes, one writes, not both atomic, and ordered by neither a team meeting between them nor (for
///   lanes of one thread) a meeting of that thread, nor by the end of a kernel.
#pragma once

#include "Program.hpp"

#include "../../sim/findings/Finding.hpp"

#include <compare>
#include <set>
#include <string>

namespace property {

/// What orders lanes: all that CUDA executes, or team_barrier alone.
enum class Sync : std::uint8_t { cuda, portable };

/// A rule broken on an array; -1: on no array in particular.
struct Fault {
  teamsan::Rule rule{};
  int array = -1;
  auto operator<=>(Fault const&) const = default;
};
std::string to_string(std::set<Fault> const& faults);

struct Verdict {
  std::set<Fault> certain;  ///< must be found
  std::set<Fault>
      possible;             ///< may be found: the same value stored twice, a race that is also something else
  std::set<int> different;  ///< arrays in which lanes store different values into one element without order
  std::set<Fault>
      redundant;          ///< races, if racing data made the vector lanes of a thread store different values
  bool anything = false;  ///< what follows a divergence is not foreseen
  bool unsteady = false;  ///< atomic updates of different kinds in no order: no race, and no one result
  bool clean() const { return certain.empty() && possible.empty() && !anything && !unsteady; }
  Result result;  ///< meaningful for a clean program
};

/// Of league ranks 0 to teams - 1 of each kernel.
Verdict judge(Program const& program, Sync sync, int teams = 1 << 30);

}  // namespace property
