// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What of a team's commit does not have to wait for its turn. Most words are touched by one team of a launch, or by several
/// that only read them: what the global shadow keeps of these is the same in whatever order teams come (the team, or the first
/// one in league order of those that read), so each worker joins them at once, beside the others, when its team has ended. All
/// else waits: atomics, words in parts, and words on which two teams' accesses may conflict.
///
/// A team whose turn has come may find there what a later one has joined too early: it takes that out again (`Committer`), and
/// from then on every team that is still to have its turn commits all of its words, not only those that it had left. Thus each
/// word ends as if all had come in league order, and what is found is the same.
#pragma once

#include "CrossTeam.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

namespace teamsan::detect {

/// While it lives, nobody else changes what the global shadow knows of that line. One of few locks that lines share. A thread
/// that reports a crash goes on without it if it is not to be had: as PatientMutex.
class LineLock {
 public:
  explicit LineLock(std::uintptr_t key) noexcept;
  ~LineLock() {
    if (m_held) m_taken.store(false, std::memory_order_release);
  }
  LineLock(LineLock const&) = delete;
  LineLock& operator=(LineLock const&) = delete;

 private:
  void wait_for_report() noexcept;

  std::atomic<bool>& m_taken;
  bool m_held = true;
};

/// To be called before teams of a launch join anything: in a forked child nobody holds a lock that another thread held.
void free_locks_after_fork();

/// May teams of the launch join words early? Some of what is asked of a team is known once it has ended.
bool may_join_early(CommitContext const& context);

/// By any worker, before the team's turn: joins what it may, and gives the numbers of the lines that are left (TeamShadow).
std::vector<std::uint32_t> join_early(CommitContext& context, std::uint64_t league_rank, TeamShadow& shadow);

}  // namespace teamsan::detect
