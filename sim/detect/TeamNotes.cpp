// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../machine/TeamNotes.hpp"

#include "LaunchChecks.hpp"
#include "TeamChecks.hpp"

#include <utility>

namespace teamsan {
namespace detect {

void TeamFindings::clear() {
  findings.clear();
  if (!uninit.empty()) uninit = {};
  if (!global_stores.empty()) global_stores = {};
  handovers.clear();
  atomics.clear();
  raced_words.clear();
  if (reduced.kernel != nullptr) reduced = {};
}

GlobalStores TeamFindings::global_stores_so_far() {
  if (!stores_mutex.lock_within(std::chrono::seconds(1))) return {};
  std::lock_guard const lock(stores_mutex, std::adopt_lock);
  return global_stores;
}

}  // namespace detect

namespace events {

using namespace detect;

void Discard::operator()(detect::TeamChecks* checks) const noexcept { delete checks; }
void Discard::operator()(detect::TeamFindings* found) const noexcept { delete found; }

TeamChecks make_team_checks() { return TeamChecks(new detect::TeamChecks); }

void team_begins(Team& team) {
  detect::TeamChecks& checks = team.checks();
  if (!checks.found)
    checks.found.reset(new detect::TeamFindings);
  else
    checks.found->clear();
  checks.pending.clear();
  checks.pending_races.clear();
  checks.pending_ways.clear();
  checks.flat_stores.clear();
  checks.lane_redundant.clear();
  checks.thread_redundant.clear();
  checks.uninit.clear();
  checks.raced_stores.clear();
  checks.faults_elsewhere = false;
  checks.shared_atomics.clear();
  checks.library_calls.clear();
  checks.accumulators.clear();
  checks.nested_accumulators.clear();
  checks.team_accumulators.clear();
  checks.threw = 0;
}

bool found_nothing(Team& team) {
  detect::TeamChecks const& checks = team.checks();
  return checks.found->findings.empty() && checks.found->uninit.empty() && checks.found->global_stores.empty() &&
         checks.pending.empty() && checks.uninit.empty() && !checks.faults_elsewhere;
}

bool handed_nothing_over(Team& team) { return team.checks().found->handovers.atomics.empty(); }

TeamFindings take_findings(Team& team) { return std::move(team.checks().found); }
void give_back_findings(Team& team, TeamFindings&& found) { team.checks().found = std::move(found); }

void add_ticks(Team& team, std::vector<std::uint32_t>& ticks) {
  team.checks().uninit.for_each_stamp(
      [&](Who& w) { ticks.push_back((who::stamp(w) + who::first_stamp) >> who::stamp_shift); });
  for_each_tick(team.checks().found->handovers, [&](std::uint32_t& tick) { ticks.insert(ticks.end(), {tick, tick + 1}); });
}

void renew_ticks(Team& team, std::function<void(Who&)> const& renew) {
  detect::TeamChecks& checks = team.checks();
  checks.uninit.for_each_stamp(renew);
  checks.raced_stores.for_each(renew);
  for (DeferredRace& race : checks.pending_races) renew(race.other.who);
  for_each_tick(checks.found->handovers, [&](std::uint32_t& tick) {
    Who stamp = tick << who::stamp_shift;
    renew(stamp);
    tick = stamp >> who::stamp_shift;
  });
}

}  // namespace events
}  // namespace teamsan
