// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The nested constructs of Kokkos' that a place stands in, read from its source: what is named to cure a race hangs on them,
/// and an earlier access has left nothing but its instruction. Decided from the text of the one function; calls to it, macros
/// that hold a construct and ranges that were given a name before are not seen: the place is then not known to be in any.
#pragma once

#include "Symbolizer.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace teamsan {

enum class Construct : std::uint8_t {
  team_thread_range,
  thread_vector_range,
  team_vector_range,
  single_per_team,
  single_per_thread
};

struct Enclosing {
  std::vector<Construct> constructs;  ///< innermost first
  bool whole = false;                 ///< the text up to the kernel was read: there are no others
  unsigned line = 0;                  ///< of the innermost one's call; 0: there is none
  std::vector<unsigned> bodies;       ///< lines on which the bodies of functions and lambdas around it begin, innermost first
  unsigned body() const { return bodies.empty() ? 0 : bodies[0]; }  ///< 0: not known
  bool has(Construct construct) const;
};

/// Of the text before `column` (from 1; 0: all of it) of the last of these lines. The first line's number is `first_line`.
Enclosing enclosing_constructs(std::vector<std::string> const& lines, unsigned column, unsigned first_line = 1);
Enclosing enclosing_constructs(Place const& place);

/// Do two places of one file stand in branches of one condition, of which whoever goes through one goes through no other?
bool are_in_branches(std::vector<std::string> const& lines, unsigned first_line, Place const& a, Place const& b);
bool are_in_branches(Place const& a, Place const& b);

/// The line before the place on which the same function returns without a value, if it is one alone; 0: none is known.
unsigned return_before(Place const& place);

}  // namespace teamsan
