// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Does any thread of the program get on while a launch runs? If not, the program ends with a finding (detect/Standstill.hpp)
/// in place of hanging. Asked of the system, about each thread (/proc/self/task): all of them are in the middle of a futex call
/// without a limit of time, on memory that no other process has, as mutexes, condition variables, static variables' guards,
/// semaphores and joins wait; or they are workers that have waited for long for such a one (machine/Worker.hpp); and that has
/// been so for some looks at them, between which none was given the processor once. A thread that computes, is stopped, reads,
/// sleeps for a time or polls may get on, and then nothing is said; nor where a debugger is attached, or a timer of the
/// program's will send a signal. What only a signal from another process would end is told.
#pragma once

#include <cstdint>

namespace teamsan {

class Standstill {
 public:
  /// To be called about once a second, always by the same thread, which counts as nobody. Ends the program, or comes back.
  void look() noexcept;

 private:
  static constexpr unsigned looks = 6;
  std::uint64_t m_seen = 0;  ///< all threads as they were; 0: somebody might have got on
  unsigned m_times = 0;      ///< that this was so
};

}  // namespace teamsan
