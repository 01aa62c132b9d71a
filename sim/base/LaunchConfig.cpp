// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaunchConfig.hpp"

#include <fmt/format.h>

namespace teamsan {

char const* policy_name(Policy policy) {
  switch (policy) {
    case Policy::range: return "RangePolicy";
    case Policy::md_range: return "MDRangePolicy";
    case Policy::team: return "TeamPolicy";
    case Policy::work_graph: return "WorkGraphPolicy";
  }
  return "";
}

std::string policy_text(LaunchConfig const& c) {
  switch (c.policy) {
    case Policy::team:
      return fmt::format("TeamPolicy(league={}, team={}, vector={})", c.league_size, c.team_size, c.vector_length);
    case Policy::range:
      return fmt::format("RangePolicy(blocks={}, lanes={})", c.league_size, c.team_size);
    case Policy::md_range:
      return fmt::format("MDRangePolicy(blocks={}, lanes={})", c.league_size, c.team_size);
    case Policy::work_graph:
      return fmt::format("WorkGraphPolicy(blocks={})", c.league_size);
  }
  return {};
}

}  // namespace teamsan
