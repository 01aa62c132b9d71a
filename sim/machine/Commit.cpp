// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Commit.hpp"

#include "../base/Assert.hpp"
#include "../base/BigStack.hpp"
#include "../base/OfThread.hpp"
#include "../base/Options.hpp"
#include "../base/ReportMemory.hpp"
#include "../base/Screen.hpp"
#include "../findings/Ending.hpp"
#include "Interrupt.hpp"
#include "LaunchEvents.hpp"
#include "Worker.hpp"
#include "../memory/FlatTable.hpp"
#include "../memory/Hot.hpp"
#include "../trace/Recorder.hpp"

#include <cstdio>
#include <iterator>
#include <thread>
#include <utility>

namespace teamsan {

void CommitQueue::add(RunningTeam& team, bool may_wait) {
  leave_out_now();
  Left left = events::join_early(m_launch, team);
  std::unique_lock lock(m_mutex);
  std::uint64_t const rank = team.league_rank();
  if (may_wait)
    m_room.wait(lock, [&] {
      return rank == m_next || (m_kept.size() < max_kept && m_kept_bytes < max_kept_bytes);
    });
  if (rank != m_next || m_committing) return keep(team, std::move(left));
  begin_committing();
  lock.unlock();
  commit(team, std::move(left));
  lock.lock();
  turn_to_next(m_next + 1);
  commit_kept(lock);
}

void CommitQueue::commit_kept(std::unique_lock<PatientMutex>& lock) {
  // Teams that were done early have their turn now.
  for (auto kept = m_kept.begin(); kept != m_kept.end() && kept->first == m_next; kept = m_kept.begin()) {
    TeamResult result = std::move(kept->second);
    m_kept.erase(kept);
    m_kept_bytes -= result.shadow->used_bytes();
    lock.unlock();
    commit(result);
    lock.lock();
    spare(result);
    turn_to_next(m_next + 1);
  }
  end_committing();
  lock.unlock();
  m_room.notify_all();
}

void CommitQueue::begin_committing() {
  m_committing = true;
  m_committer.store(::pthread_self(), std::memory_order_relaxed);
}

void CommitQueue::end_committing() {
  m_committing = false;
  m_committer.store(pthread_t{}, std::memory_order_relaxed);
}

namespace {
constexpr std::size_t at_once = 64;
thread_local constinit OfThread<std::vector<std::uint64_t>> of_this_worker;  // left out by it, in league order

/// Of teams one behind the other.
template <class F>
void for_each_run(std::vector<std::uint64_t> const& ranks, F f) {
  for (std::size_t i = 0, begin = 0; i != ranks.size(); ++i)
    if (i + 1 == ranks.size() || ranks[i + 1] != ranks[i] + 1) {
      f(ranks[begin], ranks[i] + 1);
      begin = i + 1;
    }
}
}  // namespace

void CommitQueue::leave_out_soon(std::uint64_t league_rank) {
  std::vector<std::uint64_t>& left_out = *of_this_worker;
  left_out.push_back(league_rank);
  if (left_out.size() == at_once || m_awaited.load(std::memory_order_relaxed)) leave_out_now();
}

void CommitQueue::leave_out_now() {
  std::vector<std::uint64_t>* const left_out = of_this_worker.existing();
  if (left_out == nullptr || left_out->empty()) return;
  std::unique_lock lock(m_mutex);
  for_each_run(*left_out, [&](std::uint64_t begin, std::uint64_t end) { leave_out(begin, end); });
  left_out->clear();
  if (m_committing || m_kept.empty() || m_kept.begin()->first != m_next) return;
  begin_committing();
  commit_kept(lock);
}

void CommitQueue::keep(RunningTeam& team, Left&& left) {
  TEAMSAN_ASSERT(team.league_rank() >= m_next);  // each team is committed once
  TeamResult result = team.take_result();
  result.left = std::move(left);
  m_kept_bytes += result.shadow->used_bytes();
  m_kept.emplace(result.league_rank, std::move(result));
  TeamResult others;
  others.shadow = m_spare.take();
  if (!m_spare_findings.empty()) {
    others.found = std::move(m_spare_findings.back());
    m_spare_findings.pop_back();
  }
  team.give_back(std::move(others));
}

void CommitQueue::spare(TeamResult& result) {
  m_spare_findings.push_back(std::move(result.found));
  m_spare.add(std::move(result.shadow));
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
  leave_out(begin, end);
}

void CommitQueue::leave_out(std::uint64_t begin, std::uint64_t end) {
  auto const next = m_absent.lower_bound(begin);
  if (next != m_absent.begin() && std::prev(next)->second == begin)
    std::prev(next)->second = end;
  else
    m_absent.emplace_hint(next, begin, end);
  if (m_committing) return;
  turn_to_next(m_next);
  m_room.notify_all();
}

void CommitQueue::add_pieces(std::uint64_t league_rank, trace::TeamRecording& recording) {
  std::unique_lock lock(m_mutex);
  if (league_rank != m_next || m_committing) return;
  begin_committing();
  lock.unlock();
  trace::record_team(m_launch.facts.number, league_rank, std::move(recording), false);
  lock.lock();
  end_committing();
}

void CommitQueue::commit(RunningTeam& team, Left&& left) {
  TeamResult result = team.take_result();
  result.left = std::move(left);
  commit(result);
  team.give_back(std::move(result));
}

void CommitQueue::add_crashed(Team& team) {
  using namespace std::chrono_literals;
  FlatTable::of_this_thread().leave_workers();  // the others go on
  std::unique_lock lock(m_mutex, std::defer_lock);
  // In a replay nobody else runs who might commit them; and who crashes in the middle of a commit, over a heap that a lane
  // has damaged, waits for itself.
  bool const for_itself = m_committer.load(std::memory_order_relaxed) == ::pthread_self() || m_mutex.is_held_by_caller();
  auto const patience = m_launch.script != nullptr || for_itself ? 0s : 10s, most = 12 * patience;
  auto const begin = std::chrono::steady_clock::now();
  auto end = begin + patience;  // anew for each team that gets on
  std::uint64_t next = 0;
  m_awaited = true;
  for (auto now = begin; now < std::min(end, begin + most); now = std::chrono::steady_clock::now()) {
    if (m_crashed) break;
    if (lock.try_lock()) {
      if (std::vector<std::uint64_t>* const left_out = of_this_worker.existing()) {
        for_each_run(*left_out, [&](std::uint64_t begin, std::uint64_t end) { leave_out(begin, end); });
        left_out->clear();
      }
      if (m_next == team.league_rank() && !m_committing) break;
      if (std::exchange(next, m_next) != m_next) end = now + patience;
      lock.unlock();
    }
    std::this_thread::sleep_for(1ms);
  }
  // Another crashed team speaks, and ends the program.
  while (m_crashed.exchange(true)) std::this_thread::sleep_for(1h);
  if (lock.owns_lock()) m_committing = true;  // nobody after this team
  auto& running = static_cast<RunningTeam&>(team);
  running.finish_recording();
  commit(running);
  finish();
}

namespace {

/// A thread that waits for the heap's lock may have the stream's.
void print_in_report(std::vector<std::string> const& output) {
  using namespace std::chrono_literals;
  static constinit std::atomic<bool> in_vain{false};
  auto const end = std::chrono::steady_clock::now() + (in_vain ? 0s : 2s);
  while (::ftrylockfile(stdout) != 0) {
    if (std::chrono::steady_clock::now() >= end) {
      in_vain = true;
      return;
    }
    std::this_thread::sleep_for(1ms);
  }
  for (std::string const& text : output) ::fwrite_unlocked(text.data(), 1, text.size(), stdout);
  ::funlockfile(stdout);
}

void print(std::vector<std::string> const& output) {
  if (output.empty()) return;
  screen::Held const held;
  if (uses_report_memory()) return print_in_report(output);
  for (std::string const& text : output) std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace

void CommitQueue::commit(TeamResult& result) {
  RuntimeScope const scope;  // what it copies is no access of the program's, which may wait for a result in host memory
  print(result.output);
  if (!result.checked) return;
  TEAMSAN_ASSERT(result.shadow != nullptr && result.found != nullptr);
  trace::record_team(m_launch.facts.number, result.league_rank, std::move(result.recording), true);
  if (events::commit(m_launch, result)) finish();
}

template <class Ready>
bool CommitQueue::await(std::unique_lock<PatientMutex>& lock, std::chrono::milliseconds patience, Ready ready) {
  using namespace std::chrono_literals;
  for (auto const end = std::chrono::steady_clock::now() + patience;; std::this_thread::sleep_for(1ms)) {
    if (has_crashed(m_committer.load(std::memory_order_relaxed))) return false;
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
  auto& running = static_cast<RunningTeam&>(team);
  running.finish_recording();
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
    commit(running);
    finish();  // does not come back, unless the error is none for the launch as a whole
    halt_program(options().error_exitcode);
  };
  run_on_big_stack(work, true);
}

void CommitQueue::commit_kept_out_of_turn() {
  if (trace::recording() || m_launch.script != nullptr) return;  // a trace has teams in league order
  for (auto& [rank, result] : m_kept) {
    std::vector<std::string> const unprinted = std::exchange(result.output, {});
    commit(result);
  }
}

bool CommitQueue::report_so_far() {
  using namespace std::chrono_literals;
  constexpr auto patience = 5s;
  if (m_telling.exchange(true)) {
    auto const end = std::chrono::steady_clock::now() + patience;
    while (!m_reported && !options().halt_on_error && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(1ms);
    return false;
  }
  std::unique_lock lock(m_mutex, std::defer_lock);
  bool const quiet = await(lock, patience, [] { return true; });
  m_committing |= quiet;  // for good: teams that end from here on are kept
  if (quiet) commit_kept_out_of_turn();
  std::vector<std::pair<std::uint64_t, detect::TeamFindings*>> kept;
  if (lock.owns_lock())
    for (auto const& [rank, result] : m_kept) kept.emplace_back(rank, result.found.get());
  std::vector<Team*> running;
  Worker::for_each_team([&](Team& team) { running.push_back(&team); });
  events::report_so_far(m_launch, quiet, kept, running, [&] {
    if (lock.owns_lock()) lock.unlock();
  });
  m_reported = true;
  return true;
}

std::uint64_t CommitQueue::teams_done() {
  std::lock_guard const lock(m_mutex);
  return m_next;
}

void CommitQueue::finish() {
  RuntimeScope const scope;
  if (m_telling.exchange(true)) return wait_for_the_end_of_the_program();
  // Of teams behind one that crashed nothing counts, though some may have run.
  events::launch_ended(m_launch, m_next, m_crashed);
  m_reported = true;
}

}  // namespace teamsan
