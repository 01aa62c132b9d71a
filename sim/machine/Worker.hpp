/// One OS thread that runs teams: its fibers, and the teams it has in flight (one, and more only while some spin).
#pragma once

#include <teamsan/sim/machine/Fiber.hpp>
#include <teamsan/sim/machine/Team.hpp>

#include <memory>
#include <sys/types.h>
#include <vector>

namespace teamsan {

class Worker {
 public:
  /// The calling thread's, for as long as it lives.
  static Worker& of_this_thread();

  Team& take_team();
  void give_back(Team& team) { m_idle.push_back(&team); }
  FiberPool const& fibers() const { return m_fibers; }

 private:
  friend struct LaneTable;
  class Place;
  Worker();

  // For debuggers, see LaneTable.hpp.
  Worker* m_next;
  Hot const* m_hot;
  pid_t m_thread;

  FiberPool m_fibers;
  std::vector<std::unique_ptr<Team>> m_teams;
  std::vector<Team*> m_idle;
};

}  // namespace teamsan
