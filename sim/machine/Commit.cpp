#include <teamsan/sim/machine/Commit.hpp>

#include <teamsan/sim/Options.hpp>
#include <teamsan/sim/detect/OnReport.hpp>
#include <teamsan/sim/detect/TeamOrder.hpp>
#include <teamsan/sim/machine/Shard.hpp>
#include <teamsan/sim/memory/GlobalShadow.hpp>
#include <teamsan/sim/memory/Migration.hpp>
#include <teamsan/sim/report/Collector.hpp>
#include <teamsan/sim/runtime/Modules.hpp>
#include <teamsan/sim/runtime/Output.hpp>
#include <teamsan/sim/trace/Replay.hpp>

#include <algorithm>
#include <chrono>
#include <thread>

namespace teamsan {

namespace {

/// Leagues that the shadow cannot number one by one are compared in groups of 2^shift teams.
std::uint32_t shift_for(std::uint64_t league_size) {
  std::uint32_t shift = 0;
  while ((league_size >> shift) > global_shadow::max_team) ++shift;
  return shift;
}

}  // namespace

CommitQueue::CommitQueue(LaunchState const& launch)
    : m_launch(launch),
      m_context{launch.epoch, launch.facts.config.vector_length, shift_for(launch.facts.config.league_size),
                options().enabled(Rule::global_race), launch.atomic_order, {}, {}, {}, false},
      m_pending(launch.facts) {}

void CommitQueue::add(Team& team, bool may_wait) {
  std::unique_lock lock(m_mutex);
  std::uint64_t const rank = team.league_rank();
  if (may_wait)
    m_room.wait(lock, [&] {
      return rank == m_next || (m_kept.size() < max_kept && m_kept_lines < max_kept_lines);
    });
  if (rank != m_next || m_committing) {
    Kept kept{std::move(team.shadow_owner()), std::move(team.findings()), std::move(team.uninit_global_reads()),
              std::move(team.global_stores()), {}, team.checked(), std::move(team.recording())};
    if (team.printed()) kept.output = std::move(team.output());
    m_kept_lines += kept.shadow->size();
    m_kept.emplace(rank, std::move(kept));
    if (!m_spare.empty()) {
      team.shadow_owner() = std::move(m_spare.back());
      m_spare.pop_back();
    }
    return;
  }
  m_committing = true;
  lock.unlock();
  commit(team);
  lock.lock();
  turn_to_next(m_next + 1);
  // Teams that were done early have their turn now.
  for (auto kept = m_kept.begin(); kept != m_kept.end() && kept->first == m_next; kept = m_kept.begin()) {
    Kept k = std::move(kept->second);
    m_kept.erase(kept);
    m_kept_lines -= k.shadow->size();
    lock.unlock();
    commit(m_next, *k.shadow, k.findings, k.uninit, k.global_stores, k.output, k.checked, k.recording);
    lock.lock();
    m_spare.push_back(std::move(k.shadow));
    turn_to_next(m_next + 1);
  }
  m_committing = false;
  lock.unlock();
  m_room.notify_all();
}

void CommitQueue::turn_to_next(std::uint64_t next) {
  m_next = next;
  for (auto absent = m_absent.find(m_next); absent != m_absent.end(); absent = m_absent.find(m_next)) {
    m_next = absent->second;
    m_absent.erase(absent);
  }
}

void CommitQueue::pass_over(std::uint64_t begin, std::uint64_t end) {
  std::lock_guard const lock(m_mutex);
  m_absent.emplace(begin, end);
  turn_to_next(m_next);
}

void CommitQueue::add_pieces(std::uint64_t league_rank, trace::TeamRecording& recording) {
  std::unique_lock lock(m_mutex);
  if (league_rank != m_next || m_committing) return;
  m_committing = true;
  lock.unlock();
  trace::record_team(m_launch.facts.number, league_rank, std::move(recording), false);
  lock.lock();
  m_committing = false;
}

void CommitQueue::commit(Team& team) {
  commit(team.league_rank(), team.shadow(), team.findings(), team.uninit_global_reads(), team.global_stores(),
         team.output(), team.checked(), team.recording());
}

void CommitQueue::add_crashed(Team& team) {
  using namespace std::chrono_literals;
  std::unique_lock lock(m_mutex, std::defer_lock);
  // In a replay nobody else runs who might commit them.
  auto const patience = trace::replaying() ? 0s : 10s;
  for (auto const end = std::chrono::steady_clock::now() + patience; std::chrono::steady_clock::now() < end;) {
    if (m_crashed) break;
    if (lock.try_lock()) {
      if (m_next == team.league_rank() && !m_committing) break;
      lock.unlock();
    }
    std::this_thread::sleep_for(1ms);
  }
  // Another crashed team speaks, and ends the program.
  while (m_crashed.exchange(true)) std::this_thread::sleep_for(1h);
  if (lock.owns_lock()) m_committing = true;  // nobody after this team
  team.finish_recording();
  commit(team);
  finish();
}

void CommitQueue::commit(std::uint64_t league_rank, TeamShadow& shadow, detect::FindingList& findings,
                         std::vector<detect::UninitRead>& uninit, detect::GlobalStores& global_stores,
                         std::vector<std::string>& output, bool checked, trace::TeamRecording& recording) {
  for (std::string const& text : output) write_output(text);
  if (!checked) return;
  if (!shard.owns_team(league_rank)) findings.keep_global();
  std::uint64_t const number = m_launch.facts.number;
  detect::CommitContext::Verdicts verdicts;
  m_context.verdicts = &verdicts;
  m_context.uninit = &uninit;
  if (trace::recording()) trace::record_team(number, league_rank, std::move(recording), true);
  if (trace::replaying()) m_context.recorded_verdicts = &trace::recorded_verdicts(number, league_rank);
  detect::commit(m_context, league_rank, shadow, findings);
  for (auto const& [key, finding] : findings.list())
    detect::tell_debugger(finding, m_launch.facts, detect::LaneIs::gone_on);
  if (!verdicts.empty() && trace::recording()) trace::record_verdicts(number, league_rank, verdicts);
  m_pending.add(league_rank, shadow);
  migration::commit(shadow);
  if (!findings.empty()) m_findings.merge(std::move(findings));
  if (!global_stores.empty()) m_global_stores.append(std::move(global_stores));
  m_uninit.insert(m_uninit.end(), uninit.begin(), uninit.end());
}

void CommitQueue::finish() {
  if (!m_uninit.empty()) detect::end_launch(m_uninit, m_launch.epoch, m_context.shared_words, m_findings);
  if (!m_global_stores.empty()) m_global_stores.end_launch(m_launch.epoch, m_findings);
  if (m_context.raced) detect::note_raced_teams();
  if (!m_context.shared_atomics.empty()) {
    std::vector<std::uintptr_t> pcs;
    for (std::uint32_t const pc : m_context.shared_atomics) pcs.push_back(full_pc(pc));
    std::sort(pcs.begin(), pcs.end());
    detect::note_shared_atomics(pcs);
  }
  for (auto& [key, finding] : m_findings.list()) report(detect::finish(std::move(finding), m_launch.facts));
  m_pending.end(m_launch.atomic_order->used());
  trace::record(traces::LaunchEndRecord{m_launch.facts.number, m_launch.atomic_order->used(), m_crashed});
}

}  // namespace teamsan
