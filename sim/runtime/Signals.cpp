#include <teamsan/sim/runtime/Signals.hpp>

#include <teamsan/sim/Options.hpp>
#include <teamsan/sim/detect/Crash.hpp>
#include <teamsan/sim/machine/Team.hpp>
#include <teamsan/sim/memory/Memory.hpp>
#include <teamsan/sim/report/Collector.hpp>
#include <teamsan/sim/report/Exit.hpp>
#include <teamsan/sim/report/ExitStatus.hpp>
#include <teamsan/sim/report/Symbolizer.hpp>
#include <teamsan/sim/runtime/CallStack.hpp>
#include <teamsan/sim/runtime/Hot.hpp>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <pthread.h>
#include <semaphore.h>
#include <string>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

namespace teamsan {

namespace {

constexpr int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
/// What ends a program unless it says otherwise: a person, a launcher, a terminal that closes, limits of time and size, a
/// reader of its output that went away, a batch system's warning.
constexpr int ending[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGPIPE, SIGALRM,
                          SIGXCPU, SIGXFSZ, SIGUSR1, SIGUSR2};
constexpr std::size_t stack_bytes = 256 * 1024;
constexpr std::int64_t patience_seconds = 2;

char const* words(int signal, siginfo_t const& info) {
  switch (signal) {
    case SIGSEGV: return "invalid memory access (SIGSEGV)";
    case SIGBUS: return "bus error (SIGBUS)";
    case SIGFPE: return info.si_code == FPE_INTDIV ? "integer division by zero (SIGFPE)" : "arithmetic error (SIGFPE)";
    case SIGILL: return "illegal instruction (SIGILL)";
    case SIGABRT: return "abort() or a failed assertion (SIGABRT)";
  }
  return strsignal(signal);
}

/// A thread has crashed and is about to end the program.
std::atomic<bool> someone_crashed{false};
thread_local constinit bool this_thread_crashed = false;

/// Several workers may crash at once: that the first one in league order speaks, lane_crashed sees to. A crash while
/// one is dealt with, by that thread or by one that helps it, has the signal's own effect: the handler returns and the
/// instruction is repeated.
void on_fatal(int signal, siginfo_t* info, void* context) {
  bool const first = !someone_crashed.exchange(true);
  if (this_thread_crashed || (!first && hot.lane == nullptr)) {
    std::signal(signal, SIG_DFL);
    if (info->si_code <= 0) ::raise(signal);  // it was sent: no instruction to repeat
    return;
  }
  this_thread_crashed = true;
  look_up_without_waiting();
  ++hot.in_runtime;
  if (hot.lane != nullptr) {
    Team& team = *hot.team;
    bool const has_address = signal == SIGSEGV || signal == SIGBUS;
    auto const address = has_address ? reinterpret_cast<std::uintptr_t>(info->si_addr) : 0;
    std::string what = words(signal, *info);
    if (address != 0 && team.fibers().guard_hit(address))
      what = "stack overflow (a lane's stack holds " + std::to_string(options().stack_size) +
             " bytes; the option stack_size changes it)";
    auto const pc = static_cast<std::uintptr_t>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
    detect::lane_crashed(team, what, pc + 1, address, native_stack());
  }
  bool const for_want_of_memory = hot.lane == nullptr && signal == SIGABRT && was_out_of_memory();
  end_program(true, for_want_of_memory ? exit_tool_failure : 128 + signal);
}

/// Who sent SIGQUIT, SIGXCPU or SIGXFSZ would get a core file of the whole simulated memory.
bool leaves_core(int signal) { return signal == SIGQUIT || signal == SIGXCPU || signal == SIGXFSZ; }

/// The report, then the end: the status of what was found, or the signal's own effect, so that a shell that waits sees
/// that its script was interrupted.
[[noreturn]] void end_by(int signal) {
  if (int const status = finish_report(true); status != 0) ::_exit(status);
  if (!leaves_core(signal)) {
    std::signal(signal, SIG_DFL);
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, signal);
    pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
    ::raise(signal);
  }
  ::_exit(128 + signal);
}

/// The thread that writes the report when an ending signal comes. The signal may have interrupted any other one in the
/// middle of malloc or of the collector: those go on meanwhile and let go of their locks.
class Waiter {
 public:
  void start() noexcept {
    if (::sem_init(&m_came, 0, 0) != 0) return;
    sigset_t blocked, before;
    sigfillset(&blocked);
    for (int const signal : fatal) sigdelset(&blocked, signal);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    pthread_t thread;
    if (pthread_create(&thread, nullptr, run, this) == 0) {
      pthread_setname_np(thread, "teamsan-signals");
      pthread_detach(thread);
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
      return ::sem_post(&m_came) == 0;
    }
    // A person who asks again is not kept waiting. `timeout` and closing terminals send a signal twice at once.
    bool const by_hand = signal == SIGINT || signal == SIGQUIT || signal == SIGTERM;
    if (by_hand && m_seconds != 0 && now.tv_sec - m_seconds >= patience_seconds) ::_exit(128 + signal);
    return true;
  }

 private:
  static void* run(void* self) {
    ++hot.in_runtime;
    auto& waiter = *static_cast<Waiter*>(self);
    while (::sem_wait(&waiter.m_came) != 0) {}
    int const signal = waiter.m_signal;
    if (char const* const name = sigabbrev_np(signal); name != nullptr)
      Collector::instance().note("SIG" + std::string(name) + " ended the program");
    end_by(signal);
  }

  ::sem_t m_came{};
  std::atomic<int> m_signal{0};
  std::atomic<std::int64_t> m_seconds{0};  ///< when it came
  ::pid_t m_process = 0;
};

constinit Waiter waiter;

void on_ending(int signal) {
  int const before = errno;
  if (!waiter.wake(signal)) {
    look_up_without_waiting();
    ++hot.in_runtime;
    end_by(signal);
  }
  errno = before;
}

}  // namespace

void install_signal_handlers() {
  struct sigaction action{};
  action.sa_sigaction = on_fatal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (int const signal : fatal) sigaction(signal, &action, nullptr);
  struct sigaction end{};
  end.sa_handler = on_ending;
  end.sa_flags = SA_ONSTACK | SA_RESTART;
  waiter.start();
  for (int const signal : ending) {
    struct sigaction old{};
    sigaction(signal, nullptr, &old);
    if (old.sa_handler == SIG_DFL) sigaction(signal, &end, nullptr);
  }
}

void install_signal_stack() {
  stack_t stack{};
  stack.ss_sp = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  stack.ss_size = stack_bytes;
  if (stack.ss_sp != MAP_FAILED) sigaltstack(&stack, nullptr);
}

}  // namespace teamsan
