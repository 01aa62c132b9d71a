// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CallStack.hpp"

#include "Fiber.hpp"
#include "Team.hpp"
#include "../memory/Hot.hpp"
#include "../places/Sites.hpp"

#include <algorithm>

namespace teamsan {

std::vector<Site> call_stack() {
  return hot.lane == nullptr ? std::vector<Site>() : call_stack(*hot.lane);
}

std::vector<Site> call_stack(LaneState const& lane) {
  std::vector<Site> callers;
  std::uintptr_t* const bottom = lane.fiber->calls;
  std::uintptr_t* const stored = std::min(&lane == hot.lane ? hot.call_top : lane.call_top, bottom + Fiber::call_depth);
  constexpr std::ptrdiff_t inner = 24, outer = 8;
  for (std::uintptr_t* p = stored; p != bottom; --p)
    if (stored - p < inner || p - bottom <= outer) callers.push_back(site_at(p[-1]));
  return callers;
}

void enter_call(Site site) {
  if (hot.call_top < hot.lane->fiber->calls + Fiber::call_depth) *hot.call_top = number_of(site);
  ++hot.call_top;
}

void leave_call() {
  if (hot.call_top > hot.lane->fiber->calls) --hot.call_top;
}

}  // namespace teamsan
