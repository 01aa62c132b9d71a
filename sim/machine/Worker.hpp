// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One OS thread that runs teams: its fibers, and the teams it has in flight (one, and more only while some spin).
#pragma once

#include "Fiber.hpp"
#include "RunningTeam.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <sys/types.h>
#include <vector>

namespace teamsan {

class Worker {
 public:
  /// The calling thread's, for as long as it lives.
  static Worker& of_this_thread();

  RunningTeam& take_team();
  void give_back(RunningTeam& team) { m_idle.push_back(&team); }

  /// It has nothing to do but to wait for other workers, and its own teams, if any, have repeated themselves for long; or that
  /// is over. For whoever asks whether anybody gets on.
  void set_waiting(bool waits) {
    std::uint32_t const times = m_waits.load(std::memory_order_relaxed);
    if ((times % 2 != 0) != waits) m_waits.store(times + 1, std::memory_order_relaxed);
  }

  /// A worker as other threads see it.
  struct Look {
    pid_t thread;
    Hot const* hot;       ///< of that thread
    std::uint32_t waits;  ///< odd: it does (set_waiting); grows with each change
  };
  template <class F>
  static void for_each(F f) {
    for (Worker* worker = first(); worker != nullptr; worker = worker->m_next)
      f(Look{worker->m_thread, worker->m_hot, worker->m_waits.load(std::memory_order_relaxed)});
  }

  /// Every team of every worker, in flight or idle; for any thread.
  template <class F>
  static void for_each_team(F f) {
    for (Worker* worker = first(); worker != nullptr; worker = worker->m_next) {
      std::unique_lock const lock(worker->m_teams_mutex, std::chrono::seconds(1));
      if (!lock.owns_lock()) continue;  // a crash in the middle of it
      for (auto const& team : worker->m_teams) f(*team);
    }
  }

 private:
  friend struct LaneTable;
  class Place;
  Worker();
  static Worker* first();

  // For debuggers, see LaneTable.hpp.
  Worker* m_next;
  Hot const* m_hot;
  pid_t m_thread;

  std::atomic<std::uint32_t> m_waits{0};
  FiberPool m_fibers;
  std::vector<std::unique_ptr<RunningTeam>> m_teams;
  std::timed_mutex m_teams_mutex;  ///< held while one is added
  std::vector<RunningTeam*> m_idle;
};

}  // namespace teamsan
