// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Watchdog.hpp"

#include "../base/ExitStatus.hpp"
#include "../base/ReportFile.hpp"
#include "../findings/Ending.hpp"
#include "ProgramHandlers.hpp"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

namespace teamsan {

namespace {

void on_watchdog(int) {
  write_to_stderr(
      "teamsan: the report could not be written after the crash: the program crashed while it held a lock of its loader or "
      "of its output\n");
  leave_process(exit_tool_failure);
}

}  // namespace

void Watchdog::arm() noexcept {
  struct sigaction action {};
  action.sa_handler = on_watchdog;
  real_sigaction(SIGALRM, &action, nullptr);
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &alarm, nullptr);
  ::alarm(seconds);
}

void Watchdog::disarm() noexcept { ::alarm(0); }

}  // namespace teamsan
