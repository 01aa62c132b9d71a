/// What the rules do when the machine tells of a team (machine/Events.hpp).
#include <teamsan/sim/machine/Events.hpp>

#include <teamsan/sim/base/Options.hpp>
#include <teamsan/sim/detect/Checker.hpp>
#include <teamsan/sim/detect/Crash.hpp>
#include <teamsan/sim/detect/Divergence.hpp>
#include <teamsan/sim/detect/FlatLaunch.hpp>
#include <teamsan/sim/detect/LaunchChecks.hpp>
#include <teamsan/sim/detect/Nesting.hpp>
#include <teamsan/sim/detect/TeamChecks.hpp>

#include <cstring>
#include <utility>

namespace teamsan {
namespace detect {

void TeamFindings::clear() {
  findings.clear();
  if (!uninit.empty()) uninit = {};
  if (!global_stores.empty()) global_stores = {};
  handovers.clear();
}

GlobalStores TeamFindings::global_stores_so_far() {
  std::unique_lock const lock(stores_mutex, std::chrono::seconds(1));
  return lock.owns_lock() ? global_stores : GlobalStores();
}

void add_pending(Team& team, PendingStore&& store) {
  auto& pending = team.checks().pending;
  if (pending.size() == TeamChecks::most_pending) events::stores_made(team);  // the lane has made all of these stores
  pending.push_back(std::move(store));
  team.due().stores = true;
}

namespace {

/// Which of them left memory as it was.
std::vector<bool> same_values(std::vector<PendingStore> const& stores) {
  constexpr std::size_t at_once = 64;
  std::vector<bool> values;
  for (std::size_t begin = 0; begin < stores.size(); begin += at_once) {
    std::size_t const count = std::min(at_once, stores.size() - begin);
    // Where a replay does not know, nobody is accused.
    std::uint64_t const bits = trace::ask(trace::EventKind::same_values, {~std::uint64_t{0}, count}, [&] {
                                 std::uint64_t same = 0;
                                 for (std::size_t i = 0; i != count; ++i) {
                                   PendingStore const& s = stores[begin + i];
                                   auto const now = reinterpret_cast<void const*>(s.address);
                                   same |= std::uint64_t{std::memcmp(now, s.before, s.bytes) == 0} << i;
                                 }
                                 return std::optional(trace::Answer{same, count});
                               }).operand;
    for (std::size_t i = 0; i != count; ++i) values.push_back(bits >> i & 1);
  }
  return values;
}

void settle(Team& team, PendingStore& store, bool same) {
  TeamFindings& found = *team.checks().found;
  if (same && store.result) return;  // of a collective: the construct's own
  if (same && store.same_thread && !options().strict) {  // redundant lanes, as Kokkos documents them
    if (options().enabled(Rule::same_value)) found.global_stores.count_redundant(store.race.pc);
    return;
  }
  if (!store.race.scratch) {
    if (!options().enabled(store.key.rule) && !options().enabled(Rule::same_value)) return;
    found.global_stores.add({store.key, store.race.word, same, store.same_thread},
                            [&] { return describe_race(team, store.race); });
    return;
  }
  if (same) store.key.rule = Rule::same_value;
  if (!options().enabled(store.key.rule) || found.findings.count_again(store.key)) return;
  RawFinding finding = describe_race(team, store.race);
  if (same) make_same_value(finding);
  notify_debugger(finding, team.launch().facts, LaneIs::gone_on);
  found.findings.add(store.key, std::move(finding));
  halt_on_error(team, *found.findings.find(store.key));
}

}  // namespace
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
  checks.flat_stores.clear();
  checks.lane_redundant.clear();
  checks.uninit.clear();
  checks.raced_stores.clear();
  checks.shared_atomics.clear();
  if (team.counts_warps()) checks.traffic.begin_team(*team.launch().traffic, team.league_rank());
}

bool is_plain(Team& team) {
  detect::TeamChecks const& checks = team.checks();
  return checks.found->findings.empty() && checks.found->uninit.empty() && checks.found->global_stores.empty() &&
         checks.found->handovers.atomics.empty() && checks.pending.empty() && checks.uninit.empty();
}

TeamFindings take_findings(Team& team) { return std::move(team.checks().found); }
void give_back_findings(Team& team, TeamFindings&& found) { team.checks().found = std::move(found); }

void stores_made(Team& team) {
  detect::TeamChecks& checks = team.checks();
  settle_flat_stores(team);
  std::vector<bool> const same = same_values(checks.pending);
  std::unique_lock const lock(checks.found->stores_mutex);
  for (std::size_t i = 0; i != checks.pending.size(); ++i) settle(team, checks.pending[i], same[i]);
  checks.pending.clear();
  team.due().stores = false;
}

void interval_ended(Team& team, Who floor) {
  end_interval(team, floor);
  team.due().reads = false;
}

void barrier_passed(Team& team, std::uint32_t tick) {
  handover_barrier(team.checks().found->handovers, tick);
  team.due().barrier = false;
}

void volatile_load_made(Team& team, VolatileLoad const& load) { note_volatile_load(team, load); }

void warp_accessed(Team& team, WarpRecord const& record, std::uint32_t warp) {
  team.checks().traffic.count(team, record, warp);
}

void construct_accessed(Access const& access) { check_access(access, true); }

bool team_met(Team& team) { return check_team_meeting(team); }
bool thread_met(Team& team, std::uint32_t thread) { return check_thread_meeting(team, thread); }
void thread_apart(Team& team, std::uint32_t thread) { thread_diverged(team, thread); }
void stuck(Team& team) { deadlock(team); }
void met_inside(Team& team, std::uint32_t scopes, Meeting meeting, std::uintptr_t site) {
  check_meeting_nesting(team, scopes, meeting, site);
}
void scope_entered(Team& team, std::uint32_t scopes, Scope scope, std::uintptr_t site) {
  check_scope_nesting(team, scopes, scope, site);
}
void threw(Team& team, char const* what) { lane_threw(team, what); }

void add_ticks(Team& team, std::vector<std::uint32_t>& ticks) {
  team.checks().uninit.for_each_stamp(
      [&](Who& w) { ticks.push_back((who::stamp(w) + who::first_stamp) >> who::stamp_shift); });
  for_each_tick(team.checks().found->handovers, [&](std::uint32_t& tick) { ticks.insert(ticks.end(), {tick, tick + 1}); });
}

void renew_ticks(Team& team, std::function<void(Who&)> const& renew) {
  detect::TeamChecks& checks = team.checks();
  checks.uninit.for_each_stamp(renew);
  checks.raced_stores.for_each(renew);
  for (PendingStore& store : checks.pending) renew(store.race.other.who);
  for_each_tick(checks.found->handovers, [&](std::uint32_t& tick) {
    Who stamp = tick << who::stamp_shift;
    renew(stamp);
    tick = stamp >> who::stamp_shift;
  });
}

}  // namespace events
}  // namespace teamsan
