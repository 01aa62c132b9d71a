// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Stores that it was too early to judge: what they left in memory is known once their lane is left.
#include "../machine/Events.hpp"

#include "../base/Options.hpp"
#include "Checker.hpp"
#include "FlatLaunch.hpp"
#include "TeamChecks.hpp"
#include "UnseenStore.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace teamsan::detect {

PendingStore& add_pending(Team& team) {
  TeamChecks& checks = team.checks();
  if (checks.pending.size() == TeamChecks::most_pending) events::stores_made(team);  // the lane has made all of these stores
  team.await_end_of_lane();
  PendingStore& store = checks.pending.emplace_back();
  store.race = static_cast<std::uint32_t>(checks.pending_races.size());
  return store;
}

void count_race_of_stores(Team& team, Key const& key) {
  TeamFindings& found = *team.checks().found;
  std::unique_lock const lock(found.stores_mutex);
  found.global_stores.count_race(key);
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
                                   same |= std::uint64_t{stores[begin + i].changed_nothing()} << i;
                                 }
                                 return std::optional(trace::Answer{same, count});
                               }).operand;
    for (std::size_t i = 0; i != count; ++i) values.push_back(bits >> i & 1);
  }
  return values;
}

/// Has the lane stored there by another instruction since? Then what memory holds now says nothing of this one. (Of lanes of
/// one thread it does: they repeat what the thread does, one after the other.)
bool is_overwritten(Team& team, PendingStore const& store) {
  return !store.same_thread && !store.result &&
         cell_at(team, store.scratch, store.word).write.site != store.site;
}

/// Of a store of several words: another team may race on one of a double's alone.
WordsAround around(PendingStore const& store) {
  std::uintptr_t const last = store.address + store.bytes - 1;
  return {static_cast<std::uint8_t>(store.word / 4 - store.address / 4), static_cast<std::uint8_t>(last / 4 - store.word / 4)};
}

void settle(Team& team, PendingStore& store, bool same) {
  TeamFindings& found = *team.checks().found;
  auto const race = [&]() -> DeferredRace const& { return team.checks().pending_races.at(store.race); };
  if (same && store.result) return;  // of a collective: the construct's own
  if (same && store.same_thread && !options().strict) {  // redundant lanes, as Kokkos documents them
    if (options().enabled(Rule::same_value)) found.global_stores.count_redundant(store.site);
    return;
  }
  if (!store.scratch) {
    if (!options().enabled(store.key.rule) && !options().enabled(Rule::same_value)) return;
    found.global_stores.add({store.key, store.word, same, store.same_thread, around(store)},
                            [&] { return describe_race(team, race()); });
    return;
  }
  if (same) store.key.rule = Rule::same_value;
  if (!options().enabled(store.key.rule) || found.findings.count_again(store.key)) return;
  RawFinding finding = describe_race(team, race());
  if (same) make_same_value(finding);
  notify_debugger(finding, team.launch().facts, LaneIs::gone_on);
  found.findings.add(store.key, std::move(finding));
  halt_on_error(team, *found.findings.find(store.key));
}

}  // namespace
}  // namespace teamsan::detect

namespace teamsan::events {

using namespace detect;

void stores_made(Team& team) {
  detect::TeamChecks& checks = team.checks();
  settle_flat_stores(team);
  std::vector<bool> const same = same_values(checks.pending);
  std::unique_lock const lock(checks.found->stores_mutex);
  for (std::size_t i = 0; i != checks.pending.size(); ++i) {
    PendingStore& store = checks.pending[i];
    settle(team, store, same[i] && !is_overwritten(team, store));
  }
  checks.pending.clear();
  checks.pending_races.clear();
  checks.pending_ways.clear();
  team.due().stores = false;
}

}  // namespace teamsan::events
