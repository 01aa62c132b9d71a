// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaunchCost.hpp"

namespace teamsan {

namespace {

struct Costs {
  std::uint64_t launch, lane, access;
};

// Lanes of a range are calls one after the other; those of a team may wait for one another, each on a stack of its own.
constexpr Costs range_plain{20'000, 30, 10}, range_checking{30'000, 40, 80};
constexpr Costs team_plain{30'000, 300, 10}, team_checking{60'000, 700, 120};

bool has_teams(LaunchConfig const& c) { return c.policy == Policy::team || c.policy == Policy::work_graph; }

std::uint64_t cost(LaunchConfig const& c, LaneAccesses const& of_lane, Costs const& costs) {
  std::uint64_t const lanes = lanes_of(c);
  return costs.launch + lanes * costs.lane + of_lane.of(lanes) * costs.access;
}

}  // namespace

std::uint64_t plain_cost(LaunchConfig const& config, LaneAccesses const& of_lane) {
  return cost(config, of_lane, has_teams(config) ? team_plain : range_plain);
}

std::uint64_t checking_cost(LaunchConfig const& config, LaneAccesses const& of_lane) {
  return cost(config, of_lane, has_teams(config) ? team_checking : range_checking);
}

}  // namespace teamsan
