// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A mutex for what the report of a crash needs. The thread that crashed may hold it for ever, so that a thread that reports
/// a crash waits for it seconds at most and then goes on without: what it guards is read as it lies there.
#pragma once

#include "ReportMemory.hpp"

#include <atomic>
#include <chrono>
#include <mutex>
#include <pthread.h>

namespace teamsan {

class PatientMutex {
 public:
  void lock() {
    if (!uses_report_memory()) {
      if (!try_for_long()) m_mutex.lock();
    } else if (m_owner.load(std::memory_order_relaxed) == ::pthread_self() || !m_mutex.try_lock_for(patience)) {
      return;
    }
    m_owner.store(::pthread_self(), std::memory_order_relaxed);
  }
  void unlock() {
    if (m_owner.load(std::memory_order_relaxed) != ::pthread_self()) return;  // it went on without
    m_owner.store(pthread_t{}, std::memory_order_relaxed);
    m_mutex.unlock();
  }

 private:
  static constexpr std::chrono::seconds patience{5};

  /// It is held for less time, mostly, than it takes to fall asleep.
  bool try_for_long() {
    for (int i = 0; i != 64; ++i) {
      if (m_mutex.try_lock()) return true;
      for (int turn = 0; turn != 16; ++turn) asm volatile("" ::: "memory");
    }
    return false;
  }

  std::timed_mutex m_mutex;
  std::atomic<pthread_t> m_owner{};
};

}  // namespace teamsan
