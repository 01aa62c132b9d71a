// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A lane that ends in any way but by returning: a signal, abort, a failed assertion, an exception, a stack overflow.
#pragma once

#include "../../traces/Site.hpp"
#include "../findings/Words.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace teamsan {
class Team;
}

namespace teamsan::detect {

/// How a lane came to its end.
struct LaneCrash {
  std::string what;                     ///< "integer division by zero (SIGFPE)"
  std::vector<Because> why;
  Remedy fix;
  Site site{};                ///< one past the instruction
  bool has_address = false;
  std::uintptr_t address = 0;           ///< that it could not reach, if has_address
  std::vector<Site> callers;  ///< return addresses, innermost first
};

/// The running lane raised a fatal signal. Hands over what the team had found so far, makes the finding, and returns; the
/// caller ends the program. Of several teams that crash the first in league order returns, the others never do.
void commit_crashed(Team& team, LaneCrash const& crash);

/// The finding alone; what its team did may hang on teams before it (Finding::on_team_order).
void report_crash(Team const& team, LaneCrash const& crash, bool on_team_order = false);

}  // namespace teamsan::detect
