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
    if (uses_report_memory())
      lock_for_report();
    else if (!try_for_long())
      m_mutex.lock(), take();
  }
  bool try_lock() {
    if (is_held_by_caller() || !m_mutex.try_lock()) return false;
    take();
    return true;
  }
  /// False: it is not to be had, or not by then. Of a thread that has crashed in the middle of what it guards nobody waits; one
  /// that took it for its report gives it back.
  bool lock_within(std::chrono::milliseconds time) {
    for (auto const end = std::chrono::steady_clock::now() + time;;) {
      Owner const owner = m_owner.load(std::memory_order_relaxed);
      if (owner.is_caller() || (!owner.reports() && has_crashed(owner.thread()))) return false;
      if (m_mutex.try_lock_for(look)) return take(), true;
      if (std::chrono::steady_clock::now() >= end) return false;
    }
  }
  void unlock() {
    if (!is_held_by_caller()) return;  // it went on without
    m_owner.store(Owner{}, std::memory_order_relaxed);
    m_mutex.unlock();
  }
  /// Whoever crashes in the middle of it may hold it.
  bool is_held_by_caller() const { return m_owner.load(std::memory_order_relaxed).is_caller(); }

 private:
  /// The thread, and in the lowest bit whether it reported a crash when it took the mutex.
  class Owner {
   public:
    Owner() = default;
    static Owner caller() {
      Owner owner;
      owner.m_bits = ::pthread_self() | (uses_report_memory() ? 1u : 0u);
      return owner;
    }
    pthread_t thread() const { return m_bits & ~pthread_t{1}; }
    bool reports() const { return (m_bits & 1) != 0; }
    bool is_caller() const { return thread() == ::pthread_self(); }

   private:
    pthread_t m_bits = 0;
  };

  static constexpr std::chrono::seconds patience{5};
  static constexpr std::chrono::milliseconds look{5};

  void take() { m_owner.store(Owner::caller(), std::memory_order_relaxed); }
  /// Whoever has it may have crashed before it could say so: a report that takes it a thousand times waits for that one once.
  void lock_for_report() {
    bool const in_vain = m_in_vain.load(std::memory_order_relaxed);
    if (!lock_within(in_vain ? look : patience)) m_in_vain.store(true, std::memory_order_relaxed);
  }
  /// It is held for less time, mostly, than it takes to fall asleep.
  bool try_for_long() {
    for (int i = 0; i != 64; ++i) {
      if (m_mutex.try_lock()) return take(), true;
      for (int turn = 0; turn != 16; ++turn) asm volatile("" ::: "memory");
    }
    return false;
  }

  std::timed_mutex m_mutex;
  std::atomic<Owner> m_owner{};
  std::atomic<bool> m_in_vain{false};
};

}  // namespace teamsan
