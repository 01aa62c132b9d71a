// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <csignal>
#include <ctime>

namespace teamsan::traces {

/// A pipe that nobody reads any more and a file that may not grow are errors of `write` here, not signals that end the
/// process: SIGPIPE and SIGXFSZ of this thread are held back, and dropped.
class SignalFreeWrites {
 public:
  SignalFreeWrites() noexcept {
    sigemptyset(&m_held);
    sigset_t pending;
    sigpending(&pending);
    for (int const signal : {SIGPIPE, SIGXFSZ})
      if (!sigismember(&pending, signal)) sigaddset(&m_held, signal);
    pthread_sigmask(SIG_BLOCK, &m_held, &m_before);
  }
  ~SignalFreeWrites() {
    timespec const at_once{};
    while (sigtimedwait(&m_held, nullptr, &at_once) > 0) {}
    pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
  }
  SignalFreeWrites(SignalFreeWrites const&) = delete;
  SignalFreeWrites& operator=(SignalFreeWrites const&) = delete;

 private:
  sigset_t m_held, m_before;
};

}  // namespace teamsan::traces
