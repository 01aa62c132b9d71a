// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A mutex for what the report of a crash needs. The thread that crashed may hold it for ever, so that a thread that reports
/// a crash waits for it seconds at most and then goes on without: what it guards is read as it lies there.
#pragma once

#include <teamsan/sim/base/ReportMemory.hpp>

#include <atomic>
#include <chrono>
#include <mutex>
#include <pthread.h>

namespace teamsan {

class PatientMutex {
 public:
  void lock() {
    if (!uses_report_memory())
      m_mutex.lock();
    else if (m_owner == ::pthread_self() || !m_mutex.try_lock_for(patience))
      return;
    m_owner = ::pthread_self();
  }
  void unlock() {
    if (m_owner != ::pthread_self()) return;  // it went on without
    m_owner = pthread_t{};
    m_mutex.unlock();
  }

 private:
  static constexpr std::chrono::seconds patience{5};

  std::timed_mutex m_mutex;
  std::atomic<pthread_t> m_owner{};
};

}  // namespace teamsan
