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

namespace {

/// Calls `f` with each call site, until it returns false.
template <class F>
void for_each_call(RunningLane const& lane, F const& f) {
  auto const calls = lane.stack.calls(&lane == hot.lane ? hot.call_top : lane.stack.call_top);
  constexpr std::size_t inner = 24, outer = 8;
  for (std::size_t i = calls.size(); i != 0; --i)
    if ((calls.size() - i < inner || i <= outer) && !f(site_at(calls[i - 1]))) return;
}

}  // namespace

std::vector<Site> call_stack(RunningLane const& lane) {
  std::vector<Site> callers;
  for_each_call(lane, [&](Site call) {
    callers.push_back(call);
    return true;
  });
  return callers;
}

bool is_call_stack(std::vector<Site> const& calls) {
  std::size_t known = 0;
  bool same = true;
  if (hot.lane != nullptr)
    for_each_call(*hot.lane, [&](Site call) { return same = known != calls.size() && calls[known++] == call; });
  return same && known == calls.size();
}

void enter_call(Site site) {
  if (hot.call_top < hot.lane->stack.fiber->calls + Fiber::call_depth) *hot.call_top = number_of(site);
  ++hot.call_top;
}

void leave_call() {
  if (hot.call_top > hot.lane->stack.fiber->calls) --hot.call_top;
}

}  // namespace teamsan
