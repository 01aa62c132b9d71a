// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Ends the process with a sentence if its report is not written within a minute: after a crash, which may have left locks
/// held.
#pragma once

namespace teamsan {

class Watchdog {
 public:
  static constexpr unsigned seconds = 60;
  /// Callable in a signal handler.
  static void arm() noexcept;
  static void disarm() noexcept;
};

}  // namespace teamsan
