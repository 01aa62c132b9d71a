#include <teamsan/sim/machine/LaneOrder.hpp>

#include <teamsan/sim/Options.hpp>

#include <numeric>
#include <random>
#include <utility>

namespace teamsan {

std::vector<std::uint32_t> lane_order(std::uint32_t lanes, std::uint64_t launch_number) {
  Options const& o = options();
  if (o.lane_order == "ascending") return {};
  std::vector<std::uint32_t> order(lanes);
  std::iota(order.rbegin(), order.rend(), 0u);
  if (o.lane_order == "shuffle") {
    // mt19937_64 is the same everywhere; std::shuffle is not.
    std::mt19937_64 random(o.seed * 0x9e3779b97f4a7c15u + launch_number);
    for (std::uint32_t i = lanes; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  }
  return order;
}

}  // namespace teamsan
