// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FlatHolds.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <optional>
#include <thread>

namespace teamsan {

FlatHolds::FlatHolds(std::uint64_t launch, unsigned workers) : m_launch(launch << 32), m_workers(workers) {
  for (unsigned i = 0; i != std::min(workers, most_workers); ++i) m_workers[i].mark = m_launch | Mark{i + 1} << 20;
}

void FlatHolds::enter(unsigned worker) {
  m_workers[worker].thread.store(static_cast<int>(::syscall(SYS_gettid)), std::memory_order_relaxed);
}

namespace {

struct ThreadLook {
  bool asleep = false;         ///< the system lets it wait for something: not for its turn, nor for a page of memory
  std::uint64_t computed = 0;  ///< in the program's own code, in the system's ticks
};

ThreadLook look_at(int thread) {
  if (thread == 0) return {};
  char text[512];
  std::snprintf(text, sizeof text, "/proc/self/task/%d/stat", thread);
  int const file = ::open(text, O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  ssize_t const got = ::read(file, text, sizeof text - 1);
  ::close(file);
  if (got <= 0) return {};
  text[got] = '\0';
  char const* const behind_name = std::strrchr(text, ')');
  ThreadLook look;
  if (behind_name == nullptr) return look;
  char state = 0;
  // The 14th field of proc(5), counted from the number of the process.
  bool const read =
      std::sscanf(behind_name + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu", &state, &look.computed) == 2;
  look.asleep = read && state == 'S';
  return look;
}
bool is_asleep(int thread) { return look_at(thread).asleep; }

constexpr std::chrono::microseconds look_interval{500};  // each is three system calls

/// For as long as it lives, its worker touches no word.
class Waiting {
 public:
  explicit Waiting(std::atomic<bool>& flag) : m_flag(flag) { m_flag.store(true, std::memory_order_release); }
  ~Waiting() {
    m_flag.store(false, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);  // who saw it set has marked the stretch before we look at it
  }
  Waiting(Waiting const&) = delete;
  Waiting& operator=(Waiting const&) = delete;

 private:
  std::atomic<bool>& m_flag;
};

}  // namespace

/// First nobody may begin anything there, then the owner must be seen where it is in the middle of nothing: asleep, or so long
/// at work since that it has left, by millions of instructions, whatever access it was at. False: it was another one's by then.
bool FlatHolds::take_from_busy(std::atomic<Mark>& stretch, Mark seen, Worker const& owner) {
  if (!stretch.compare_exchange_strong(seen, in_transit())) return false;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  int const thread = owner.thread.load(std::memory_order_relaxed);
  std::uint64_t const half_a_second = static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK)) / 2;
  std::uint64_t const computed = look_at(thread).computed;
  while (owner.mark.load(std::memory_order_acquire) == seen && !owner.waits.load(std::memory_order_acquire)) {
    ThreadLook const now = look_at(thread);
    if (now.asleep || now.computed > computed + half_a_second) break;
    std::this_thread::sleep_for(look_interval);
  }
  stretch.store(shared(), std::memory_order_release);
  return true;
}

bool FlatHolds::take(std::uintptr_t address, unsigned worker) {
  using Clock = std::chrono::steady_clock;
  constexpr unsigned spins = 100, patience = 400;
  unsigned looks = 0;
  std::atomic<Mark>& stretch = at(address);
  std::optional<Waiting> waiting;
  Clock::time_point next_look{};
  for (unsigned turns = 0;; ++turns) {
    if (wanted(worker).load(std::memory_order_relaxed)) give_up(worker);
    Mark seen = stretch.load(std::memory_order_acquire);
    Mark const mine = mark(worker);
    if (seen == shared()) return false;
    if (seen == mine) return true;
    bool const new_to_launch = (seen & launch_bits) != m_launch;
    if (seen == in_transit()) {
      if (!waiting) waiting.emplace(m_workers[worker].waits);
      std::this_thread::yield();
    } else if (new_to_launch || worker_of(seen) == worker) {
      Mark const next = mine != no_mark ? mine : shared();
      if (stretch.compare_exchange_strong(seen, next)) return mine != no_mark;
    } else if (Worker& other = m_workers[worker_of(seen)]; other.mark.load(std::memory_order_acquire) != seen) {
      if (stretch.compare_exchange_strong(seen, shared())) return false;
    } else {
      if (!waiting) waiting.emplace(m_workers[worker].waits);
      other.wanted.store(true, std::memory_order_relaxed);
      if (turns <= spins) continue;
      std::this_thread::yield();  // on a busy machine for a long time
      Clock::time_point const now = Clock::now();
      if (next_look == Clock::time_point{}) next_look = now + look_interval;
      if (now < next_look) continue;
      next_look = now + look_interval;
      bool const for_long = ++looks > patience;  // in a lane without an end in sight, or one that spins by itself
      if ((for_long || is_asleep(other.thread.load(std::memory_order_relaxed))) && take_from_busy(stretch, seen, other))
        return false;
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
