// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Reductions.hpp"

#include "../base/Options.hpp"
#include "../base/Shard.hpp"
#include "../detect/TeamChecks.hpp"
#include "../machine/Lane.hpp"
#include "../machine/Team.hpp"
#include "../places/Sites.hpp"

namespace teamsan {

namespace {

// Where more is done with accesses than to check them, the first teams do as the others do.
bool looks_at_values() {
  return hot.team->checked() && options().enabled(Rule::lost_contribution) &&
         (hot.watch == Watch::checked || hot.watch == Watch::range || hot.watch == Watch::weighed ||
          hot.watch == Watch::flat || hot.watch == Watch::flat_and_weighed || hot.watch == Watch::others);
}

/// Of several shards one looks at what teams reduce, at other shards' teams too: they are compared.
bool looks_at_teams() { return shard.index == 0 && looks_at_values(); }

}  // namespace

bool watches_reduction() noexcept { return hot.team->league_rank() == 0 && looks_at_values(); }

void watch_reduction(void const* values, std::size_t bytes, std::uint32_t lanes) {
  RuntimeScope const scope;
  hot.team->checks().accumulators.begin(values, bytes, lanes);
}

void next_iteration() noexcept { hot.team->checks().accumulators.next_iteration(hot.lane->lane.index); }

void end_watched_reduction(void const* kernel, ReducedValueCalls const& calls, bool of_scan) {
  RuntimeScope const scope;
  hot.team->checks().accumulators.judge(*hot.team, kernel, calls, of_scan);
}

void* begin_team_reduction(void const* initial, std::size_t bytes) {
  if (!looks_at_teams()) return nullptr;
  RuntimeScope const scope;
  LaunchConfig const& config = hot.team->launch().facts.config;
  return hot.team->checks().team_accumulators.begin(hot.lane->lane.index, config.team_size * config.vector_length, initial,
                                                    bytes);
}

void end_team_reduction(void const* kernel, ReducedValueCalls const& calls) {
  RuntimeScope const scope;
  detect::TeamChecks& checks = hot.team->checks();
  checks.found->reduced = checks.team_accumulators.end(hot.team->launch().facts.config.vector_length, kernel, calls);
}

void note_reduced(void const* result, std::size_t bytes, void const* site) {
  if (hot.lane == nullptr) return;
  auto const address = reinterpret_cast<std::uintptr_t>(result);
  detect::TeamChecks& checks = hot.team->checks();
  Access const access{address, static_cast<std::uint32_t>(bytes), AccessKind::write, site_at(site)};
  if (checks.team_accumulators.watches(address)) {
    RuntimeScope const scope;
    checks.team_accumulators.note(access, true);
  } else if (checks.nested_accumulators.watches(address)) {
    RuntimeScope const scope;
    checks.nested_accumulators.note(access, true);
  }
  note_write(result, bytes, site);
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

void end_nested_reduction(void const* reducer, ReducedValueCalls const& calls, bool of_scan) {
  RuntimeScope const scope;
  hot.team->checks().nested_accumulators.end(*hot.team, hot.lane->lane.index, reducer, calls, of_scan);
}

}  // namespace teamsan
