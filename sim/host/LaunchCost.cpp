// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaunchCost.hpp"

#include <cstddef>

namespace teamsan {

namespace {

struct Costs {
  std::uint64_t launch, lane, access;
};

// Lanes of a range are calls one after the other; those of a team may wait for one another, each on a stack of its own. By
// Unchecked: where there are plain bodies, checks stand in line, too.
constexpr Costs range_plain[] = {{20'000, 40, 30}, {20'000, 40, 3}, {20'000, 1, 2}};
constexpr Costs range_checking[] = {{30'000, 30, 60}, {30'000, 30, 40}, {30'000, 40, 40}};
constexpr Costs team_plain[] = {{30'000, 300, 30}, {30'000, 300, 5}, {30'000, 300, 5}};
constexpr Costs team_checking{60'000, 700, 120};
constexpr std::uint64_t each_found = 8'000;

std::uint64_t cost(LaunchConfig const& c, CountedAccesses const& of_lane, Costs const& costs) {
  std::uint64_t const lanes = lanes_of(c);
  return costs.launch + lanes * costs.lane + of_lane.of(lanes) * costs.access;
}

}  // namespace

Unchecked unchecked_run(PlainBodies const& plain, void const* kernel) {
  if (plain.run_together(kernel)) return Unchecked::loop;
  return plain.lane != nullptr ? Unchecked::lane_by_lane : Unchecked::as_checked;
}

std::uint64_t plain_cost(LaunchConfig const& config, CountedAccesses const& of_lane, Unchecked run) {
  auto const which = static_cast<std::size_t>(run);
  return cost(config, of_lane, config.has_teams() ? team_plain[which] : range_plain[which]);
}

std::uint64_t checking_cost(LaunchConfig const& config, CountedAccesses const& of_lane, Unchecked run, std::uint64_t found) {
  Costs const& costs = config.has_teams() ? team_checking : range_checking[static_cast<std::size_t>(run)];
  return cost(config, of_lane, costs) + found * each_found;
}

}  // namespace teamsan
