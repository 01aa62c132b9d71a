// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Reductions.hpp"

#include "../base/Options.hpp"
#include "../detect/TeamChecks.hpp"
#include "../machine/Team.hpp"

namespace teamsan {

bool watches_reduction() noexcept {
  // Where more is done with accesses than to check them, the first team does as the others do.
  return hot.team->league_rank() == 0 && hot.team->checked() && options().enabled(Rule::lost_contribution) &&
         (hot.watch == Watch::checked || hot.watch == Watch::weighed || hot.watch == Watch::flat ||
          hot.watch == Watch::flat_and_weighed);
}

void watch_reduction(void const* values, std::size_t bytes, std::uint32_t lanes) {
  RuntimeScope const scope;
  hot.team->checks().accumulators.begin(values, bytes, lanes);
}

void next_iteration() noexcept { hot.team->checks().accumulators.next_iteration(hot.lane->lane.index); }

void end_watched_reduction(void const* kernel, ReducedValueCalls const& calls) {
  RuntimeScope const scope;
  hot.team->checks().accumulators.judge(*hot.team, kernel, calls);
}

void* begin_nested_reduction(void const* initial, std::size_t bytes) {
  if (!watches_reduction()) return nullptr;
  RuntimeScope const scope;
  LaunchConfig const& config = hot.team->launch().facts.config;
  return hot.team->checks().nested_accumulators.begin(hot.lane->lane.index, config.team_size * config.vector_length, initial,
                                                      bytes);
}

void next_nested_iteration(void const* reducer, ReducedValueCalls const& calls) {
  RuntimeScope const scope;
  hot.team->checks().nested_accumulators.next_iteration(hot.lane->lane.index, reducer, calls);
}

void end_nested_reduction(void const* reducer, ReducedValueCalls const& calls) {
  RuntimeScope const scope;
  hot.team->checks().nested_accumulators.end(*hot.team, hot.lane->lane.index, reducer, calls);
}

}  // namespace teamsan
