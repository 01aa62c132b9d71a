#include <teamsan/sim/machine/Worker.hpp>

#include <teamsan/sim/machine/LaneTable.hpp>
#include <teamsan/sim/runtime/FatalSignals.hpp>

#include <unistd.h>

namespace teamsan {

Worker::Worker() : m_hot(&hot), m_thread(gettid()), m_fibers(&Team::fiber_main) {
  install_signal_stack();
  void* first = __teamsan_lane_table.workers;
  do m_next = static_cast<Worker*>(first);
  while (!__teamsan_lane_table.workers.compare_exchange_weak(first, this));
}

Worker& Worker::of_this_thread() {
  // Never destroyed: threads of the pool end when the process does, after reports that may still ask for fibers.
  thread_local Worker* const worker = new Worker;
  return *worker;
}

Team& Worker::take_team() {
  if (m_idle.empty()) {
    m_teams.push_back(std::make_unique<Team>(m_fibers));
    m_idle.push_back(m_teams.back().get());
  }
  Team& team = *m_idle.back();
  m_idle.pop_back();
  return team;
}

}  // namespace teamsan
