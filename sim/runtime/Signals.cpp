#include <teamsan/sim/runtime/Signals.hpp>

#include <teamsan/sim/Options.hpp>
#include <teamsan/sim/detect/Crash.hpp>
#include <teamsan/sim/machine/Team.hpp>
#include <teamsan/sim/memory/Memory.hpp>
#include <teamsan/sim/report/Exit.hpp>
#include <teamsan/sim/report/ExitStatus.hpp>
#include <teamsan/sim/runtime/CallStack.hpp>
#include <teamsan/sim/runtime/Hot.hpp>

#include <csignal>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

namespace teamsan {

namespace {

constexpr int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr int ending[] = {SIGINT, SIGTERM};
constexpr std::size_t stack_bytes = 256 * 1024;

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

void on_fatal(int signal, siginfo_t* info, void* context) {
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

void on_ending(int signal) {
  ++hot.in_runtime;
  end_program(true, 128 + signal);
}

}  // namespace

void install_signal_handlers() {
  struct sigaction action{};
  action.sa_sigaction = on_fatal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESETHAND;
  for (int const signal : fatal) sigaction(signal, &action, nullptr);
  struct sigaction end{};
  end.sa_handler = on_ending;
  end.sa_flags = SA_ONSTACK | SA_RESETHAND;
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
