// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where several workers run a flat launch (FlatWord.hpp): who may change the words of a stretch of device memory, and how.
/// The first worker that comes holds the stretch, and joins what its lanes do there by plain stores: an exchange for each word
/// would cost more than all the rest of an access. Once another worker wants a stretch, the one that holds it gives up all it
/// has, at the end of its lane or where it takes a stretch itself; from then on, until the launch ends, everybody exchanges
/// words there. What nobody wanted meanwhile it takes again. A worker that the system has put to sleep in the middle of a lane
/// (a mutex, which the other one may hold; a file) is taken from: it is in none of its plain stores then, which call nobody,
/// and looks at the stretch again before the next one. So is one whose lane goes on for long without coming to the runtime (it
/// may spin for what the other one has), once it has computed for half a second since nobody may begin anything there. Teams
/// side by side run on one worker (TeamScheduler), and so most of the memory has one that comes to it. (A lock that costs
/// nothing until a second thread comes: Kawachiya, Koseki, Onodera, "Lock Reservation", OOPSLA 2002.)
#pragma once

#include "../base/Arena.hpp"

#include <atomic>
#include <cstdint>
#include <vector>

namespace teamsan {

class FlatHolds {
 public:
  /// A stretch's state, and the mark that a worker leaves on what it holds:
  ///   generation 20 | worker's number, plus 1, 12 | launch 32
  /// All that a worker holds has its present mark: it gives all up by taking the next one.
  using Mark = std::uint64_t;
  static constexpr Mark no_mark = 1;              ///< no stretch has it
  static constexpr unsigned most_workers = 4094;  ///< those of higher numbers hold nothing

  FlatHolds(std::uint64_t launch, unsigned workers);

  /// The calling thread is that worker from now on: of one that is nobody's thread nothing is taken.
  void enter(unsigned worker);

  /// Of stretches that everybody changes by exchanges.
  Mark shared() const { return m_launch | ~std::uint32_t{0}; }
  /// The worker's. no_mark: it holds nothing any more.
  Mark mark(unsigned worker) const { return m_workers[worker].mark.load(std::memory_order_relaxed); }
  std::atomic<bool> const& wanted(unsigned worker) const { return m_workers[worker].wanted; }

  static Mark of(std::uintptr_t address) { return at(address).load(std::memory_order_acquire); }
  /// Did a worker of that launch come to a stretch with this mark?
  static bool is_of_launch(Mark mark, std::uint64_t launch) { return (mark & launch_bits) == launch << 32; }

  /// For an access of the worker's there. True: it holds the stretch now; false: the stretch is everybody's. May wait for
  /// another worker's lane to end, or to sleep; what the worker holds otherwise may be given up.
  bool take(std::uintptr_t address, unsigned worker);
  /// All the worker holds.
  void give_up(unsigned worker);
  /// For good: it joins nothing more.
  void leave(unsigned worker) { m_workers[worker].mark.store(no_mark, std::memory_order_release); }

 private:
  struct alignas(64) Worker {
    std::atomic<Mark> mark{no_mark};
    std::atomic<bool> wanted{false};
    std::atomic<bool> waits{false};  ///< in take()
    std::atomic<int> thread{0};      ///< as the system numbers it; 0: not known
  };

  static std::atomic<Mark>& at(std::uintptr_t address) {
    return reinterpret_cast<std::atomic<Mark>*>(arena::flat_holds)[(address - arena::device) / arena::flat_stretch_bytes];
  }
  static constexpr Mark generations = (Mark{1} << 20) - 1, launch_bits = ~Mark{0} << 32;
  /// Of a stretch that is being taken from another worker: nobody touches its words.
  Mark in_transit() const { return m_launch | Mark{0xfff} << 20; }
  bool take_from_busy(std::atomic<Mark>& stretch, Mark seen, Worker const& owner);
  static unsigned worker_of(Mark mark) { return (mark >> 20 & 0xfff) - 1; }

  Mark const m_launch;
  std::vector<Worker> m_workers;
};

}  // namespace teamsan
