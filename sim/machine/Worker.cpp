// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Worker.hpp"

#include "../base/LaneTable.hpp"
#include "../base/OfThread.hpp"
#include "../base/Start.hpp"

#include <mutex>
#include <unistd.h>

namespace teamsan {

Worker::Worker() : m_hot(&hot), m_thread(gettid()), m_fibers(&RunningTeam::fiber_main) {
  install_signal_stack();
  void* first = __teamsan_lane_table.workers;
  do m_next = static_cast<Worker*>(first);
  while (!__teamsan_lane_table.workers.compare_exchange_weak(first, this));
}

Worker* Worker::first() { return static_cast<Worker*>(__teamsan_lane_table.workers.load()); }

namespace {

/// Workers whose threads have ended. Never destroyed, like the workers themselves: reports at the very end may still ask.
struct Orphans {
  std::mutex mutex;
  std::vector<Worker*> workers;
};
Orphans& orphans() {
  static Orphans& all = *new Orphans;
  return all;
}

}  // namespace

/// A program may launch from ever new threads of its own: each goes on with what one before it has left.
class Worker::Place {
 public:
  Place() {
    {
      std::lock_guard const lock(orphans().mutex);
      auto& left = orphans().workers;
      if (!left.empty()) {
        m_worker = left.back();
        left.pop_back();
      }
    }
    if (m_worker == nullptr) {
      m_worker = new Worker;
      return;
    }
    install_signal_stack();
    m_worker->m_hot = &hot;
    m_worker->m_thread = gettid();
    m_worker->m_fibers.start_over();
  }
  ~Place() {
    static constinit Hot const nobody;
    m_worker->m_hot = &nobody;
    std::lock_guard const lock(orphans().mutex);
    orphans().workers.push_back(m_worker);
  }
  Place(Place const&) = delete;
  Place& operator=(Place const&) = delete;

  Worker& worker() { return *m_worker; }

 private:
  Worker* m_worker = nullptr;
};

Worker& Worker::of_this_thread() {
  thread_local constinit OfThread<Place> place;
  return place->worker();
}

RunningTeam& Worker::take_team() {
  if (m_idle.empty()) {
    auto team = std::make_unique<RunningTeam>(m_fibers);
    std::unique_lock const lock(m_teams_mutex);
    m_teams.push_back(std::move(team));
    m_idle.push_back(m_teams.back().get());
  }
  RunningTeam& team = *m_idle.back();
  m_idle.pop_back();
  return team;
}

}  // namespace teamsan
