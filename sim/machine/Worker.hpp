// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One OS thread that runs teams: its fibers, and the teams it has in flight (one, and more only while some spin).
#pragma once

#include "Fiber.hpp"
#include "Team.hpp"

#include <chrono>
#include <memory>
#include <mutex>
#include <sys/types.h>
#include <vector>

namespace teamsan {

class Worker {
 public:
  /// The calling thread's, for as long as it lives.
  static Worker& of_this_thread();

  Team& take_team();
  void give_back(Team& team) { m_idle.push_back(&team); }

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

  FiberPool m_fibers;
  std::vector<std::unique_ptr<Team>> m_teams;
  std::timed_mutex m_teams_mutex;  ///< held while one is added
  std::vector<Team*> m_idle;
};

}  // namespace teamsan
