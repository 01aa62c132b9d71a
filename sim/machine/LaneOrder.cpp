// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaneOrder.hpp"

#include "../base/Options.hpp"

#include <numeric>
#include <random>
#include <string>
#include <utility>

namespace teamsan {

namespace {

std::vector<std::uint32_t> order_of(std::string const& policy, std::uint32_t count, std::uint64_t seed) {
  if (policy == "ascending") return {};
  std::vector<std::uint32_t> order(count);
  std::iota(order.rbegin(), order.rend(), 0u);
  if (policy == "shuffle") {
    // mt19937_64 is the same everywhere; std::shuffle is not.
    std::mt19937_64 random(seed);
    for (std::uint32_t i = count; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  }
  return order;
}

std::uint64_t seed_of(std::uint64_t launch_number) { return options().seed * 0x9e3779b97f4a7c15u + launch_number; }

}  // namespace

std::vector<std::uint32_t> lane_order(std::uint32_t lanes, std::uint64_t launch_number) {
  return order_of(options().lane_order, lanes, seed_of(launch_number));
}

std::vector<std::uint32_t> team_order(std::uint32_t group, std::uint64_t launch_number) {
  return order_of(options().team_order, group, ~seed_of(launch_number));
}

}  // namespace teamsan
