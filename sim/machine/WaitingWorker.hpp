// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a worker does while it waits for others.
#pragma once

#include "TeamScheduler.hpp"
#include "Worker.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace teamsan {

class WaitingWorker {
 public:
  WaitingWorker(TeamScheduler& scheduler, Worker& worker, unsigned number)
      : m_scheduler(scheduler), m_worker(worker), m_number(number) {
    scheduler.enter();
  }
  ~WaitingWorker() {
    got_on();
    m_scheduler.leave(m_number);
  }
  WaitingWorker(WaitingWorker const&) = delete;
  WaitingWorker& operator=(WaitingWorker const&) = delete;

  void got_on() {
    m_idle = 0;
    m_since = std::chrono::steady_clock::now();
    m_scheduler.wait_in_vain(m_number, false);
    m_worker.set_waiting(false);
  }
  /// `long_enough`: for as long as none of its teams would get on any more, by themselves.
  void for_others(bool long_enough) {
    m_scheduler.wait_in_vain(m_number, true);
    m_worker.set_waiting(long_enough);
  }
  /// It has no team. Mostly not for long.
  void idle() {
    constexpr unsigned yields = 200;
    if (++m_idle < yields) return std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  /// It has looked at one of its teams, from then on: most of the time is left to others, if they get on, and the more of it
  /// the longer it has waited.
  void rest(std::chrono::steady_clock::time_point begun) {
    using namespace std::chrono_literals;
    if (!m_scheduler.others_get_on(m_number)) return;
    auto const now = std::chrono::steady_clock::now();
    auto const share = std::max((4 + m_scheduler.in_vain()) * (now - begun), (now - m_since) / 2);
    auto const most = m_scheduler.goes_on_alone() ? 2ms : 20ms;
    m_scheduler.sleep(std::min<std::chrono::steady_clock::duration>(share, most));
  }

 private:
  TeamScheduler& m_scheduler;
  Worker& m_worker;
  unsigned const m_number;
  unsigned m_idle = 0;
  std::chrono::steady_clock::time_point m_since = std::chrono::steady_clock::now();
};

}  // namespace teamsan
