// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CallStack.hpp"

#include "Fiber.hpp"
#include "Team.hpp"
#include "../memory/Hot.hpp"
#include "../places/Sites.hpp"

#include <cstddef>

namespace teamsan {

std::vector<Site> call_stack() {
  return hot.lane == nullptr ? std::vector<Site>() : call_stack(*hot.lane);
}

std::vector<Site> call_stack(RunningLane const& lane) {
  std::vector<Site> callers;
  auto const calls = lane.stack.calls(&lane == hot.lane ? hot.call_top : lane.stack.call_top);
  constexpr std::size_t inner = 24, outer = 8;
  for (std::size_t i = calls.size(); i != 0; --i)
    if (calls.size() - i < inner || i <= outer) callers.push_back(site_at(calls[i - 1]));
  return callers;
}

void enter_call(Site site) {
  if (hot.call_top < hot.lane->stack.fiber->calls + Fiber::call_depth) *hot.call_top = number_of(site);
  ++hot.call_top;
}

void leave_call() {
  if (hot.call_top > hot.lane->stack.fiber->calls) --hot.call_top;
}

}  // namespace teamsan
