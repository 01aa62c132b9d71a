// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Signals.hpp"

#include "../findings/Collector.hpp"
#include "../memory/Hot.hpp"
#include "../places/Symbolizer.hpp"
#include "Exit.hpp"
#include "FatalSignals.hpp"
#include "ProgramHandlers.hpp"
#include "Registers.hpp"
#include "Standstill.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <linux/futex.h>
#include <pthread.h>
#include <string>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace teamsan {

namespace {

/// What ends a program unless it says otherwise: a person, a launcher, a terminal that closes, limits of time and size, a
/// reader of its output that went away, a batch system's warning.
struct EndingSignal {
  int number;
  char const* name;  ///< sigabbrev_np came with glibc 2.32
};
#define TEAMSAN_SIGNAL(name) {name, #name}
constexpr EndingSignal ending[] = {TEAMSAN_SIGNAL(SIGINT),  TEAMSAN_SIGNAL(SIGTERM), TEAMSAN_SIGNAL(SIGHUP),
                                   TEAMSAN_SIGNAL(SIGQUIT), TEAMSAN_SIGNAL(SIGPIPE), TEAMSAN_SIGNAL(SIGALRM),
                                   TEAMSAN_SIGNAL(SIGXCPU), TEAMSAN_SIGNAL(SIGXFSZ), TEAMSAN_SIGNAL(SIGUSR1),
                                   TEAMSAN_SIGNAL(SIGUSR2)};
#undef TEAMSAN_SIGNAL
constexpr std::int64_t patience_seconds = 2;

/// Who sent SIGQUIT, SIGXCPU or SIGXFSZ would get a core file of the whole simulated memory.
bool leaves_core(int signal) { return signal == SIGQUIT || signal == SIGXCPU || signal == SIGXFSZ; }

/// The report, then the end: the status of what was found, or the signal's own effect, so that a shell that waits sees
/// that its script was interrupted.
[[noreturn]] void end_by(int signal) {
  if (int const status = finish_report(true); status != 0) leave_process(status);
  if (!leaves_core(signal)) die_of(signal);
  leave_process(128 + signal);
}

/// The thread that writes the report when an ending signal comes, and meanwhile looks whether anybody gets on. The signal may
/// have interrupted any other one in the middle of malloc or of the collector: those go on meanwhile and let go of their locks.
class Waiter {
 public:
  void start() noexcept {
    m_signal = 0;
    sigset_t blocked, before;
    sigfillset(&blocked);
    for (int const signal : fatal_signals) sigdelset(&blocked, signal);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    if (pthread_create(&m_thread, nullptr, run, this) == 0) {
      pthread_setname_np(m_thread, "teamsan-signals");
      pthread_detach(m_thread);
      m_process = ::getpid();
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  /// In a handler; of several signals the first counts. False where there is no such thread: in a child that fork made.
  bool wake(int signal) noexcept {
    if (m_process != ::getpid()) return false;
    int none = 0;
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (m_signal.compare_exchange_strong(none, signal)) {
      m_seconds = now.tv_sec;
      ::syscall(SYS_futex, word(), FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
      return true;
    }
    // A person who asks again is not kept waiting. `timeout` and closing terminals send a signal twice at once.
    bool const by_hand = signal == SIGINT || signal == SIGQUIT || signal == SIGTERM;
    if (by_hand && m_seconds != 0 && now.tv_sec - m_seconds >= patience_seconds) leave_process(128 + signal);
    return true;
  }

  /// Has a signal come, on which the thread (which does not ask itself) ends the process?
  bool is_woken() const noexcept {
    return m_signal != 0 && m_process == ::getpid() && !pthread_equal(m_thread, pthread_self());
  }

 private:
  int* word() noexcept { return reinterpret_cast<int*>(&m_signal); }

  static void* run(void* self) {
    ++hot.in_runtime;
    auto& waiter = *static_cast<Waiter*>(self);
    Standstill standstill;
    while (waiter.m_signal == 0) {
      timespec const a_second{1, 0};  // by no clock that could be set meanwhile
      ::syscall(SYS_futex, waiter.word(), FUTEX_WAIT_PRIVATE, 0, &a_second, nullptr, 0);
      standstill.look();
    }
    int const signal = waiter.m_signal;
    for (EndingSignal const& one : ending)
      if (one.number == signal) Collector::instance().note(std::string(one.name) + " ended the program");
    end_by(signal);
  }

  std::atomic<int> m_signal{0};
  std::atomic<std::int64_t> m_seconds{0};  ///< when it came
  ::pid_t m_process = 0;
  ::pthread_t m_thread{};
};

constinit Waiter waiter;

/// A program whose end has begun does not end otherwise meanwhile: its status is the signal's, or that of what was found.
void wait_for_the_end() {
  if (!waiter.is_woken()) return;
  for (unsigned seconds = 0; seconds != 90; ++seconds) {
    timespec second{1, 0};
    nanosleep(&second, nullptr);
  }
}

void on_ending(int signal, siginfo_t*, void* context) {
  int const before = errno;
  if (!waiter.wake(signal)) {
    look_up_without_waiting();
    ++hot.in_runtime;
    end_by(signal);
  }
  // A system call that waited: sleep, poll, pause. The program, which was to end there, would take this for a sleep that is
  // over. Who waits in the kernel so holds no lock of malloc's.
  if (registers::is_cut_short(*static_cast<ucontext_t const*>(context))) wait_for_the_end();
  errno = before;
}

}  // namespace

void install_signal_handlers() {
  install_fatal_handlers();
  struct sigaction end{};
  end.sa_sigaction = on_ending;
  end.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  install_ending_thread();
  set_exit_gate(wait_for_the_end);
  for (EndingSignal const& one : ending) {
    struct sigaction old{};
    real_sigaction(one.number, nullptr, &old);
    if (old.sa_handler == SIG_DFL) real_sigaction(one.number, &end, nullptr);
  }
}

void install_ending_thread() { waiter.start(); }

}  // namespace teamsan
