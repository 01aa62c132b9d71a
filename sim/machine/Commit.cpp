#include <teamsan/sim/machine/Commit.hpp>

#include <teamsan/sim/base/Options.hpp>
#include <teamsan/sim/detect/OnReport.hpp>
#include <teamsan/sim/detect/TeamOrder.hpp>
#include <teamsan/sim/machine/Interrupt.hpp>
#include <teamsan/sim/base/Shard.hpp>
#include <teamsan/sim/machine/Worker.hpp>
#include <teamsan/sim/memory/GlobalShadow.hpp>
#include <teamsan/sim/memory/Migration.hpp>
#include <teamsan/sim/base/BigStack.hpp>
#include <teamsan/sim/findings/Collector.hpp>
#include <teamsan/sim/process/Exit.hpp>
#include <teamsan/sim/base/ExitStatus.hpp>
#include <teamsan/sim/places/Modules.hpp>
#include <teamsan/sim/runtime/Output.hpp>
#include <teamsan/sim/replay/Replay.hpp>

#include <algorithm>
#include <chrono>
#include <thread>

namespace teamsan {

CommitQueue::CommitQueue(LaunchState const& launch)
    : m_launch(launch),
      m_context{launch.epoch, launch.facts.config.vector_length,
                launch.facts.config.league_size - 1 > global_shadow::max_team,
                options().enabled(Rule::global_race), launch.atomic_order, {}, {}, {}, false, false, {}},
      m_pending(launch.facts) {}

void CommitQueue::add(Team& team, bool may_wait) {
  std::unique_lock lock(m_mutex);
  std::uint64_t const rank = team.league_rank();
  if (may_wait)
    m_room.wait(lock, [&] {
      return rank == m_next || (m_kept.size() < max_kept && m_kept_bytes < max_kept_bytes);
    });
  if (rank != m_next || m_committing) {
    Kept kept{std::move(team.shadow_owner()), std::move(team.findings()), std::move(team.uninit_global_reads()),
              std::move(team.global_stores()), {}, team.checked(), std::move(team.recording())};
    if (team.printed()) kept.output = std::move(team.output());
    m_kept_bytes += kept.shadow->used_bytes();
    m_kept.emplace(rank, std::move(kept));
    if (!m_spare.empty()) {
      team.shadow_owner() = std::move(m_spare.back());
      m_spare.pop_back();
      m_spare_bytes -= team.shadow().bytes();
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
    m_kept_bytes -= k.shadow->used_bytes();
    lock.unlock();
    commit(m_next, *k.shadow, k.findings, k.uninit, k.global_stores, k.output, k.checked, k.recording);
    lock.lock();
    if (m_spare_bytes + k.shadow->bytes() <= max_kept_bytes) {
      m_spare_bytes += k.shadow->bytes();
      m_spare.push_back(std::move(k.shadow));
    }
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
                         detect::UninitReads& uninit, detect::GlobalStores& global_stores,
                         std::vector<std::string>& output, bool checked, trace::TeamRecording& recording) {
  RuntimeScope const scope;  // what it copies is no access of the program's, which may wait for a result in host memory
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
  if (shadow.lacks_earlier()) not_judged().add(detect::Shortfall::earlier_marks, league_rank);
  m_pending.add(league_rank, shadow);
  migration::commit(shadow);
  bool const halts = options().halt_on_error && std::any_of(findings.list().begin(), findings.list().end(), [&](auto& entry) {
    return ends_the_program(entry.second, m_launch.facts);
  });
  if (!findings.empty()) m_findings.merge(std::move(findings));
  if (!global_stores.empty()) m_global_stores.append(std::move(global_stores), m_launch.epoch);
  if (!uninit.empty()) m_uninit.append(uninit);
  if (halts) finish();
}

template <class Ready>
bool CommitQueue::await(std::unique_lock<std::mutex>& lock, std::chrono::milliseconds patience, Ready ready) {
  using namespace std::chrono_literals;
  for (auto const end = std::chrono::steady_clock::now() + patience;; std::this_thread::sleep_for(1ms)) {
    if (!lock.owns_lock() && !lock.try_lock()) {
      if (std::chrono::steady_clock::now() >= end) return false;
      continue;
    }
    if (!m_committing && ready()) return true;
    if (std::chrono::steady_clock::now() >= end) return false;
    lock.unlock();
  }
}

void CommitQueue::halt(Team& team) {
  using namespace std::chrono_literals;
  if (is_ending()) return;
  team.finish_recording();
  auto work = [&] {
    RuntimeScope const scope;
    {
      // A team of the only worker, or one that began out of order, would wait for those that wait for it.
      bool const waits = m_launch.workers > 1 && options().team_order == "ascending";
      std::unique_lock lock(m_mutex, std::defer_lock);
      await(lock, 5s, [&] { return !waits || m_next == team.league_rank(); });
      while (m_crashed.exchange(true)) {  // another team speaks
        if (lock.owns_lock()) lock.unlock();
        std::this_thread::sleep_for(1h);
      }
      m_committing = true;  // nobody after this team
    }
    commit(team);
    finish();  // does not come back, unless the error is none for the launch as a whole
    halt_program(options().error_exitcode);
  };
  run_on_big_stack(work, true);
}

void CommitQueue::commit_kept_out_of_turn() {
  if (trace::recording() || trace::replaying()) return;  // a trace has teams in league order
  std::vector<std::string> no_output;
  for (auto& [rank, k] : m_kept)
    commit(rank, *k.shadow, k.findings, k.uninit, k.global_stores, no_output, k.checked, k.recording);
}

bool CommitQueue::tell_so_far() {
  using namespace std::chrono_literals;
  constexpr auto patience = 5s;
  if (m_telling.exchange(true)) {
    auto const end = std::chrono::steady_clock::now() + patience;
    while (!m_told && !options().halt_on_error && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(1ms);
    return false;
  }
  std::unique_lock lock(m_mutex, std::defer_lock);
  bool const quiet = await(lock, patience, [] { return true; });
  m_committing |= quiet;  // for good: teams that end from here on are kept
  if (quiet) commit_kept_out_of_turn();
  detect::FindingList found(m_findings);
  detect::GlobalStores stores;
  if (quiet) stores = detect::GlobalStores(m_global_stores);
  auto const add = [&](std::uint64_t rank, detect::FindingList&& of_team, detect::GlobalStores&& stores_of_team) {
    if (!shard.owns_team(rank)) of_team.keep_global();
    found.merge(std::move(of_team));
    stores.append(std::move(stores_of_team), m_launch.epoch);
  };
  if (lock.owns_lock())
    for (auto const& [rank, kept] : m_kept) add(rank, detect::FindingList(kept.findings), detect::GlobalStores(kept.global_stores));
  struct Found {
    detect::FindingList findings;
    detect::GlobalStores stores;
  };
  std::map<std::uint64_t, Found> running;
  Worker::for_each_team([&](Team& team) {
    Found of_team{team.findings(), team.global_stores_so_far()};
    // Otherwise it has found nothing, or handed it over, and may be about to begin as another one.
    if (!of_team.findings.empty() || !of_team.stores.empty()) running.emplace(team.league_rank(), std::move(of_team));
  });
  for (auto& [rank, team] : running) add(rank, std::move(team.findings), std::move(team.stores));
  if (lock.owns_lock()) lock.unlock();

  // What nobody has written yet, a team to come might have, in an order made by atomics.
  bool const ordered = m_launch.atomic_order->used();
  if (quiet && !ordered)
    detect::end_launch(m_uninit, m_launch.epoch, m_context.wide_league, m_context.shared_words, found);
  if (!stores.empty()) stores.end_launch(m_launch.epoch, found);
  for (auto& [key, finding] : found.list()) report(detect::finish(std::move(finding), m_launch.facts));
  if (quiet) m_pending.end(ordered, [] {});
  not_judged().tell(m_launch.facts, m_launch.facts.config.league_size);
  m_told = true;
  return true;
}

void CommitQueue::note_lane_atomic(std::uint32_t pc, std::uint64_t league_rank) {
  std::lock_guard const lock(m_lane_atomics_mutex);
  std::uint64_t& first = m_lane_atomics.try_emplace(pc, league_rank).first->second;
  first = std::min(first, league_rank);
}

void CommitQueue::finish() {
  RuntimeScope const scope;
  if (m_telling.exchange(true)) return wait_for_the_end_of_the_program();
  if (m_uninit.full()) not_judged().add(detect::Shortfall::uninit_reads);
  if (m_global_stores.full()) not_judged().add(detect::Shortfall::equal_stores);
  if (!m_uninit.empty())
    detect::end_launch(m_uninit, m_launch.epoch, m_context.wide_league, m_context.shared_words, m_findings);
  if (!m_global_stores.empty()) m_global_stores.end_launch(m_launch.epoch, m_findings);
  if (m_launch.atomic_order->lost_events()) not_judged().add(detect::Shortfall::events);
  if (m_launch.atomic_order->lost_steps()) not_judged().add(detect::Shortfall::searches);
  if (m_context.shared_words.full()) not_judged().add(detect::Shortfall::words);
  if (m_context.sites.full()) not_judged().add(detect::Shortfall::sites);
  // Of teams behind one that crashed nothing counts, though some may have run.
  std::uint64_t const last_team = m_next;
  not_judged().tell(m_launch.facts, last_team);
  if (m_context.raced) detect::note_raced_teams();
  std::vector<std::uintptr_t> of_teams, of_lanes;
  for (std::uint32_t const pc : m_context.shared_atomics) of_teams.push_back(full_pc(pc));
  for (auto const& [pc, first_team] : m_lane_atomics)
    if (first_team <= last_team) of_lanes.push_back(full_pc(pc));
  std::sort(of_teams.begin(), of_teams.end());
  std::sort(of_lanes.begin(), of_lanes.end());
  detect::note_shared_atomics(m_launch.facts.config.label, of_teams, of_lanes);
  for (auto& [key, finding] : m_findings.list()) report(detect::finish(std::move(finding), m_launch.facts));
  m_pending.end(m_launch.atomic_order->used(), [&] {
    trace::record(traces::LaunchEndRecord{m_launch.facts.number, m_launch.atomic_order->used(), m_crashed});
  });
  m_told = true;
}

}  // namespace teamsan
