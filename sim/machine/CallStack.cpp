#include <teamsan/sim/machine/CallStack.hpp>

#include <teamsan/sim/machine/Fiber.hpp>
#include <teamsan/sim/machine/Team.hpp>
#include <teamsan/sim/memory/Hot.hpp>

#include <algorithm>

namespace teamsan {

std::vector<std::uintptr_t> call_stack() {
  return hot.lane == nullptr ? std::vector<std::uintptr_t>() : call_stack(*hot.lane);
}

std::vector<std::uintptr_t> call_stack(LaneState const& lane) {
  std::vector<std::uintptr_t> callers;
  std::uintptr_t* const bottom = lane.fiber->calls;
  std::uintptr_t* const stored = std::min(&lane == hot.lane ? hot.call_top : lane.call_top, bottom + Fiber::call_depth);
  for (std::uintptr_t* p = stored; p != bottom && callers.size() != 16; --p) callers.push_back(p[-1]);
  return callers;
}

}  // namespace teamsan
