// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaunchChecks.hpp"
#include "LaunchWords.hpp"

#include "../base/Options.hpp"
#include "../base/Shard.hpp"
#include "EarlyJoin.hpp"
#include "FlatLaunch.hpp"
#include "GlobalRace.hpp"
#include "OnReport.hpp"
#include "TeamOrder.hpp"
#include "../findings/TellNow.hpp"
#include "../memory/FlatShadow.hpp"
#include "../memory/GlobalShadow.hpp"
#include "../machine/LaunchWeight.hpp"
#include "../machine/TeamResult.hpp"
#include "../memory/Migration.hpp"
#include "../places/AtomicCode.hpp"
#include "../places/Symbolizer.hpp"
#include "../trace/Recorder.hpp"

#include <algorithm>
#include <vector>

namespace teamsan {
namespace detect {

namespace {

bool of_iterations(LaunchState const& launch) { return !launch.facts.config.lanes_meet(); }

GlobalStores::Launch kind_of(LaunchState const& launch) {
  if (of_iterations(launch)) return GlobalStores::Launch::iterations;
  return launch.facts.config.league_size == 1 ? GlobalStores::Launch::one_team : GlobalStores::Launch::teams;
}

/// Those of a team; `raced`: it is known to race with another one.
void note_order(FindingList& of_team, TeamAtomics const& atomics, bool raced) {
  if (of_team.empty()) return;
  bool const ordered = raced || atomics.give_values_back();
  for (auto& [key, finding] : of_team.list()) finding.on_team_order = ordered;
}

/// Of an earlier access in a function of Kokkos' that is not in line nothing but the instruction is known: its one caller.
void name_callers(RawFinding& finding, LibraryCalls const& calls, std::uint64_t last_team) {
  for (RawSide& side : finding.sides) {
    if (side.site == Site{}) continue;
    std::vector<Site> const users = calls.calls_of(side.site, last_team);
    if (users.size() == 1 && user_place(side.site, side.callers).internal) side.callers.push_back(users[0]);
  }
}

/// What Kokkos' functions that are not in line do is what the user's calls of them do.
std::vector<Site> called_by_users(std::vector<Site> const& sites, LibraryCalls const& calls, std::uint64_t last_team) {
  std::vector<Site> result;
  for (Site const site : sites) {
    std::vector<Site> const users = calls.calls_of(site, last_team);
    if (users.empty()) result.push_back(site);
    result.insert(result.end(), users.begin(), users.end());
  }
  return result;
}

/// Where lanes wait at atomics of the host's, as for a function's static variable, who comes first does what the others do not.
bool wait_at_the_hosts(FindingList& found) {
  auto const is_atomic_there = [](auto const& known) {
    RawFinding const& f = known.second;
    return f.rule == Rule::wrong_space &&
           std::ranges::any_of(f.sides, [](RawSide const& side) { return is_atomic(side.access); });
  };
  return std::ranges::any_of(found.list(), is_atomic_there);
}

void report_all(FindingList& found, LaunchFacts const& launch, LibraryCalls const& calls, std::uint64_t last_team,
                bool on_team_order) {
  on_team_order |= wait_at_the_hosts(found);
  for (auto& [key, finding] : found.list()) {
    finding.on_team_order |= on_team_order;
    name_callers(finding, calls, last_team);
    report(finish(std::move(finding), launch));
  }
}

}  // namespace

LaunchChecks::LaunchChecks(LaunchState const& launch)
    : m_launch(launch),
      m_context{launch.epoch, launch.facts.config.vector_length,
                launch.facts.config.league_size - 1 > global_shadow::max_team,
                options().enabled(Rule::global_race) || options().enabled(Rule::unfenced_handover),
                launch.atomic_order},
      m_handovers(launch.facts.config.vector_length, options().enabled(Rule::unfenced_handover) && !m_context.wide_league),
      m_pending(launch.facts) {
  m_context.handovers = &m_handovers;
  if (of_iterations(launch)) m_context.between = Between::iterations;
  m_context.team_size = launch.facts.config.team_size;
  if (RacedWords::decide(launch.facts.config)) m_context.raced_words = &m_raced_words;
}

void LaunchChecks::teams_begin() {
  // A trace has what was asked in league order; and the first error of the league may end the program.
  bool const in_order = trace::recording() || m_launch.script != nullptr || options().halt_on_error || options().gdb;
  m_context.joins_early = m_launch.workers > 1 && !m_launch.is_flat && !in_order;
  if (m_context.joins_early) free_locks_after_fork();
}

std::optional<std::vector<std::uint32_t>> LaunchChecks::join_early(Team& team) {
  if (!m_context.joins_early || !team.checked() || !may_join_early(m_context)) return {};
  if (!team.checks().found->handovers.atomics.empty()) return {};
  return detect::join_early(m_context, team.league_rank(), team.shadow());
}

bool LaunchChecks::turn_flat() {
  std::vector<Site> const& sites = instructions();  // and one that is none
  if (sites.size() > flat::most_at_first + 1) return false;
  FlatShadow& flat = *m_launch.flat;
  for (Site const site : sites)
    if (is_atomic_loop(site)) flat.note_load_of_update(site);
  flat.begin(sites);
  note_unwritten_by_first(flat, m_uninit);
  if (m_uninit.full()) not_judged().add(Shortfall::uninit_reads);
  m_uninit.clear();
  return true;
}

bool LaunchChecks::runs_unseen(LaneRows const& rows) { return m_pending.take(rows, LaunchWords(m_launch)); }

bool LaunchChecks::commit(TeamResult& team) {
  std::uint64_t const rank = team.league_rank, number = m_launch.facts.number;
  TeamFindings& found = *team.found;
  FindingList& findings = found.findings;
  if (!shard.owns_team(rank)) findings.keep_global();
  CommitContext::Verdicts verdicts;
  m_context.verdicts = &verdicts;
  m_context.uninit = &found.uninit;
  m_context.found = &found;
  if (m_launch.script != nullptr) m_context.recorded_verdicts = &m_launch.script->verdicts(number, rank);
  m_handovers.keep(rank, std::move(found.handovers));
  detect::commit(m_context, rank, *team.shadow, findings, team.left && !m_context.taken_out ? &*team.left : nullptr);
  explain_locks(findings, m_handovers, m_raced_words);
  for (auto const& [key, finding] : findings.list()) notify_debugger(finding, m_launch.facts, LaneIs::gone_on);
  m_context.verdicts = nullptr;
  m_raced_words.append(std::move(found.raced_words));
  if (!verdicts.empty()) trace::record_verdicts(number, rank, verdicts);
  if (team.shadow->lacks_earlier()) not_judged().add(Shortfall::earlier_marks, rank);
  m_pending.add(rank, *team.shadow);
  migration::commit(*team.shadow);
  bool const halts = options().halt_on_error && std::ranges::any_of(findings.list(), [&](auto const& entry) {
    return ends_the_program(entry.second, m_launch.facts);
  });
  if (!findings.empty()) {
    note_order(findings, found.atomics, m_context.raced);
    for (auto& [key, finding] : findings.list()) {
      if (m_findings.find(key) != nullptr) continue;
      name_callers(finding, m_library_calls, rank);
      if (tells_now()) tell_now(finish(RawFinding(finding), m_launch.facts));
    }
    m_findings.merge(std::move(findings));
  }
  if (!found.global_stores.empty()) m_global_stores.append(std::move(found.global_stores), m_launch.epoch);
  if (!found.uninit.empty()) m_uninit.append(found.uninit);
  if (found.reduced.kernel != nullptr) m_reduced.add(rank, std::move(found.reduced));
  return halts;
}

void LaunchChecks::end(std::uint64_t last_team, bool crashed) {
  if (m_uninit.full()) not_judged().add(Shortfall::uninit_reads);
  if (m_global_stores.full()) not_judged().add(Shortfall::equal_stores);
  if (!m_uninit.empty())
    end_launch(m_uninit, m_launch.epoch, m_context.wide_league, last_team, m_context.shared_words, m_findings);
  if (m_launch.is_flat)
    m_context.raced |= judge_flat_words(m_launch, last_team + crashed, m_context, {m_findings, m_global_stores});
  if (!m_global_stores.empty()) m_global_stores.end_launch(m_launch.epoch, m_findings, kind_of(m_launch), m_context.raced);
  m_reduced.judge(m_findings);
  explain_locks(m_findings, m_handovers, m_raced_words);
  if (m_launch.atomic_order->lost_events()) not_judged().add(Shortfall::events);
  if (m_launch.atomic_order->lost_steps()) not_judged().add(Shortfall::searches);
  if (m_context.shared_words.full()) not_judged().add(Shortfall::words);
  if (m_context.sites.full()) not_judged().add(Shortfall::sites);
  not_judged().report(m_launch.facts, last_team);
  if (m_context.raced) note_raced_teams();
  std::vector<Site> of_teams, of_lanes;
  for (Site const site : m_context.shared_atomics) of_teams.push_back(site);
  for (auto const& [site, first_team] : m_lane_atomics)
    if (first_team <= last_team) of_lanes.push_back(site);
  if (m_launch.is_flat)
    for (bool const of_team : {false, true})
      for (Site const site : m_launch.flat->shared_atomics(of_team))
        (of_team ? of_lanes : of_teams).push_back(site);
  for (std::vector<Site>* const sites : {&of_teams, &of_lanes}) {
    *sites = called_by_users(*sites, m_library_calls, last_team);
    std::sort(sites->begin(), sites->end());
  }
  bool const on_team_order = note_shared_atomics(m_launch.facts.config.label, of_teams, of_lanes) || m_context.raced;
  if (m_launch.weight != nullptr)
    for (auto const& [key, finding] : m_findings.list()) m_launch.weight->add_found(finding.count);
  report_all(m_findings, m_launch.facts, m_library_calls, last_team, on_team_order);
  if (m_launch.is_flat && !m_launch.is_decided) m_pending.add(*m_launch.flat, last_team + crashed);
  m_pending.end(m_launch.atomic_order->used(), m_launch.script != nullptr, [&] {
    trace::record(traces::LaunchEndRecord{m_launch.facts.number, m_launch.atomic_order->used(), crashed});
  });
}

void LaunchChecks::report_so_far(bool quiet, std::span<std::pair<std::uint64_t, TeamFindings*> const> kept,
                                 std::span<Team* const> running, std::function<void()> const& gathered) {
  FindingList found(m_findings);
  GlobalStores stores;
  if (quiet) stores = GlobalStores(m_global_stores);
  auto const add = [&](std::uint64_t rank, FindingList&& of_team, GlobalStores&& stores_of_team, TeamAtomics const& atomics) {
    if (!shard.owns_team(rank)) of_team.keep_global();
    note_order(of_team, atomics, m_context.raced);
    found.merge(std::move(of_team));
    stores.append(std::move(stores_of_team), m_launch.epoch);
  };
  for (auto const& [rank, team] : kept)
    add(rank, FindingList(team->findings), GlobalStores(team->global_stores), team->atomics);
  struct Found {
    FindingList findings;
    GlobalStores stores;
    TeamAtomics const* atomics;
  };
  std::map<std::uint64_t, Found> of_running;
  for (Team* const team : running) {
    TeamFindings* const now = team->checks().found.get();
    if (now == nullptr) continue;
    Found of_team{now->findings, now->global_stores_so_far(), &now->atomics};
    // Otherwise it has found nothing, or handed it over, and may be about to begin as another one.
    if (!of_team.findings.empty() || !of_team.stores.empty()) of_running.emplace(team->league_rank(), std::move(of_team));
  }
  for (auto& [rank, team] : of_running) 
    add(rank, std::move(team.findings), std::move(team.stores), *team.atomics);
  gathered();

  // What nobody has written yet, a team to come might have, in an order made by atomics.
  bool const ordered = m_launch.atomic_order->used();
  if (quiet && !ordered)
    end_launch(m_uninit, m_launch.epoch, m_context.wide_league, m_launch.facts.config.league_size, m_context.shared_words,
               found);
  bool raced = m_context.raced;
  if (m_launch.is_flat)
    raced |= judge_flat_words(m_launch, m_launch.facts.config.league_size, m_context, {found, stores}, false);
  if (!stores.empty()) stores.end_launch(m_launch.epoch, found, kind_of(m_launch), raced);
  report_all(found, m_launch.facts, m_library_calls, m_launch.facts.config.league_size, raced);
  if (quiet && m_launch.is_flat) m_pending.add(*m_launch.flat, m_launch.facts.config.league_size);
  if (quiet) m_pending.end(ordered, m_launch.script != nullptr, [] {});
  not_judged().report(m_launch.facts, m_launch.facts.config.league_size);
}

void LaunchChecks::note_lane_atomic(Site site, std::uint64_t league_rank) {
  std::lock_guard const lock(m_lane_atomics_mutex);
  std::uint64_t& first = m_lane_atomics.try_emplace(site, league_rank).first->second;
  first = std::min(first, league_rank);
}

void note_shared_atomic(Team& team, Site site) {
  auto& known = team.checks().shared_atomics;
  if (std::find(known.begin(), known.end(), site) != known.end()) return;
  known.push_back(site);
  team.launch().checks->note_lane_atomic(site, team.league_rank());
}

}  // namespace detect

namespace events {

void forgot_old_accesses(LaunchState const& launch, std::uint64_t league_rank) {
  launch.checks->not_judged().add(detect::Shortfall::old_accesses, league_rank);
}

bool turns_flat(LaunchState const& launch) {
  RuntimeScope const scope;
  return launch.checks->turn_flat();
}

bool runs_unseen(LaunchState const& launch, LaneRows const& rows) {
  RuntimeScope const scope;
  return launch.checks->runs_unseen(rows);
}

void teams_begin(LaunchState const& launch) { launch.checks->teams_begin(); }

std::optional<std::vector<std::uint32_t>> join_early(LaunchState const& launch, Team& team) {
  RuntimeScope const scope;
  return launch.checks->join_early(team);
}

bool commit(LaunchState const& launch, TeamResult& team) { return launch.checks->commit(team); }

void launch_ended(LaunchState const& launch, std::uint64_t last_team, bool crashed) {
  launch.checks->end(last_team, crashed);
}

void report_so_far(LaunchState const& launch, bool quiet, std::span<std::pair<std::uint64_t, detect::TeamFindings*> const> kept,
                   std::span<Team* const> running, std::function<void()> const& gathered) {
  launch.checks->report_so_far(quiet, kept, running, gathered);
}

}  // namespace events
}  // namespace teamsan
