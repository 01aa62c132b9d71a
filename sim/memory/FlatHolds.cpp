// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <teamsan/sim/memory/FlatHolds.hpp>

#include <algorithm>
#include <thread>

namespace teamsan {

FlatHolds::FlatHolds(std::uint64_t launch, unsigned workers) : m_launch(launch << 32), m_workers(workers) {
  for (unsigned i = 0; i != std::min(workers, most_workers); ++i) m_workers[i].mark = m_launch | Mark{i + 1} << 20;
}

bool FlatHolds::take(std::uintptr_t address, unsigned worker) {
  std::atomic<Mark>& stretch = at(address);
  for (unsigned turns = 0;; ++turns) {
    if (wanted(worker).load(std::memory_order_relaxed)) give_up(worker);
    Mark seen = stretch.load(std::memory_order_acquire);
    Mark const mine = mark(worker);
    if (seen == shared()) return false;
    if (seen == mine) return true;
    bool const new_to_launch = (seen & launch_bits) != m_launch;
    if (new_to_launch || worker_of(seen) == worker) {
      Mark const next = mine != no_mark ? mine : shared();
      if (stretch.compare_exchange_strong(seen, next)) return mine != no_mark;
    } else if (Worker& other = m_workers[worker_of(seen)]; other.mark.load(std::memory_order_acquire) != seen) {
      if (stretch.compare_exchange_strong(seen, shared())) return false;
    } else {
      other.wanted.store(true, std::memory_order_relaxed);
      if (turns > 100) std::this_thread::yield();
    }
  }
}

void FlatHolds::give_up(unsigned worker) {
  Worker& w = m_workers[worker];
  w.wanted.store(false, std::memory_order_relaxed);
  Mark const mark = w.mark.load(std::memory_order_relaxed);
  bool const last = (mark & generations) == generations;  // or there is none, for good
  w.mark.store(mark == no_mark || last ? no_mark : mark + 1, std::memory_order_release);
}

}  // namespace teamsan
