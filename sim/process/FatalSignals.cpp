// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FatalSignals.hpp"

#include "../base/ExitStatus.hpp"
#include "../base/ReportMemory.hpp"
#include "../base/Start.hpp"
#include "../base/Survives.hpp"
#include "../detect/Crash.hpp"
#include "../findings/Collector.hpp"
#include "../findings/Sentences.hpp"
#include "../findings/TextLayout.hpp"
#include "../host/Memory.hpp"
#include "../machine/CallStack.hpp"
#include "../machine/LastWords.hpp"
#include "../machine/Team.hpp"
#include "../memory/Hot.hpp"
#include "../places/KokkosNames.hpp"
#include "../places/Sites.hpp"
#include "../places/Symbolizer.hpp"
#include "CrashStack.hpp"
#include "Exit.hpp"
#include "ExitInKernel.hpp"
#include "ProgramHandlers.hpp"
#include "Registers.hpp"
#include "Watchdog.hpp"
#include "../trace/Mode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace teamsan {

thread_local constinit sigjmp_buf* recovery = nullptr;

namespace {

constexpr std::size_t handler_stack_bytes = 256 * 1024;
constexpr std::size_t largest_stack = std::size_t{1} << 30;  ///< that --stack-size takes

std::atomic<bool> someone_crashed{false};

char const* words(int signal, siginfo_t const& info) {
  switch (signal) {
    case SIGSEGV: return "invalid memory access (SIGSEGV)";
    case SIGBUS: return "bus error (SIGBUS)";
    case SIGFPE: return info.si_code == FPE_INTDIV ? "integer division by zero (SIGFPE)" : "arithmetic error (SIGFPE)";
    case SIGILL: return "illegal instruction (SIGILL)";
    case SIGABRT: return "abort() or a failed assertion (SIGABRT)";
    case SIGTRAP: return "a trap (SIGTRAP)";
    case SIGSYS: return "a system call that is not allowed (SIGSYS)";
  }
  return strsignal(signal);
}

/// What a signal that interrupted the running lane means.
class Diagnosis {
 public:
  /// Fills in `crash`, the surest first: reading on may crash.
  Diagnosis(int signal, siginfo_t const& info, ucontext_t& context, detect::LaneCrash& crash)
      : m_context(context), m_fiber(*hot.lane->stack.fiber), m_crash(crash) {
    bool const access = (signal == SIGSEGV || signal == SIGBUS) && info.si_code > 0;
    auto const address = access ? reinterpret_cast<std::uintptr_t>(info.si_addr) : 0;
    m_crash.what = words(signal, info);
    m_crash.site = site_of(registers::pc(m_context) + 1);
    if (EndByLane const asked = end_asked_by_lane(); asked.function != nullptr)
      asked_to_end(asked);
    else if (access && address == registers::pc(m_context))
      no_code_there();
    else if (signal == SIGSEGV && address == 0 && reads_return_address())
      bad_return(read_word(registers::sp(m_context)));
    else if (address - (m_fiber.stack_begin - FiberPool::guard_bytes) < FiberPool::guard_bytes)
      overflow();
    else if (address - m_fiber.stack_end() < FiberPool::guard_bytes)
      past_the_end();
    else if (access && info.si_code == SI_KERNEL)
      m_crash.why = {because(Reason::never_set)};
    else if (access)
      reached_for(address);
    if (signal == SIGABRT && m_crash.why.empty()) aborted();
    if (!m_stack_is_lost) m_crash.callers = CrashStack(m_context).callers();
    if (std::string words = signal == SIGABRT ? last_words() : ""; !words.empty()) said(std::move(words));
  }

 private:
  void reached_for(std::uintptr_t address) {
    m_crash.has_address = true;
    m_crash.address = address;
  }

  void asked_to_end(EndByLane const& asked) {
    m_crash.what = fmt::format("{}({}) was called in a kernel", asked.function, asked.status);
    m_crash.why = {because(Reason::kernel_cannot_end)};
    m_crash.fix = remedy(Cure::end_on_host);
  }

  /// A call went to no code, or a function returned there.
  void no_code_there() {
    std::uintptr_t const target = registers::pc(m_context);
    std::uintptr_t back = 0;
    survives([&] { back = registers::return_address(m_context); });
    if (!follows_call(back)) return bad_return(target);
    m_crash.what = target == 0 ? "a call through a null function pointer" : "a call through a bad function pointer";
    reached_for(target);
    m_crash.site = site_of(back);
    // As if the call were still to come: from here the stack is whole.
    registers::take_back_call(m_context, back);
  }

  bool reads_return_address() const {
#if defined(__x86_64__)  // elsewhere it is in a register, and going there is the fault
    return (read_word(registers::pc(m_context)) & 0xff) == 0xc3 && !follows_call(read_word(registers::sp(m_context)));
#else
    return false;
#endif
  }

  /// Where it came from is lost with its stack; the lane has noted which function it had called last and is in.
  void bad_return(std::uintptr_t target) {
    m_crash.what = "a function returned to no code: the lane's stack was overwritten";
    reached_for(target);
    m_crash.why = {because(Reason::stack_overwritten)};
    m_stack_is_lost = true;
    std::vector<Site> callers = call_stack();
    std::uintptr_t const entry = callers.empty() ? 0 : called_function(address_of(callers.front()));
    m_crash.site = entry != 0 ? site_of(entry + 1) : Site{};
    if (entry != 0) m_crash.callers = std::move(callers);
    m_crash.fix = remedy(Cure::array_past_end);
  }

  /// By Kokkos::abort, which Kokkos' own checks call too.
  void said(std::string words) {
    m_crash.what = "Kokkos::abort() was called";
    auto const of_map = [](Site site) { return has_code(KokkosCode::unordered_map, site); };
    bool const in_map = std::ranges::any_of(m_crash.callers, of_map) || of_map(m_crash.site);
    if (in_map && words.find("capacity()") != words.npos) {
      m_crash.why.push_back(because(Reason::not_in_map));
      m_crash.fix = remedy(Cure::ask_failed_insert);
    }
    m_crash.why.push_back(because(Reason::last_words, std::move(words)));
  }

  /// The C library's end of a function that found its frame overwritten, or of a copy that was larger than its target.
  static bool is_overrun(std::uintptr_t pc) {
    Dl_info info{};
    if (dladdr(reinterpret_cast<void*>(pc - 1), &info) == 0 || info.dli_sname == nullptr) return false;
    std::string_view const name = info.dli_sname;
    return name == "__stack_chk_fail" || name == "__fortify_fail" || name == "__chk_fail";
  }

  void aborted() {
    CrashStack const stack(m_context);
    std::size_t const begin = 1, end = std::min<std::size_t>(stack.count, 8);
    auto const* const first = std::find_if(stack.frames + begin, stack.frames + end, is_overrun_frame);
    auto const* const function = std::find_if_not(first, stack.frames + end, is_overrun_frame);
    if (first == function || function == stack.frames + end) return;
    m_crash.what = "a local variable was written past its end (SIGABRT)";
    m_crash.why = {because(Reason::guard_overwritten)};
    m_crash.site = last_place_before(function->pc);
    m_stack_is_lost = true;  // from here outwards
    m_crash.callers = call_stack();
  }
  static bool is_overrun_frame(CrashStack::Frame const& frame) { return is_overrun(frame.pc); }

  /// Clang gives a call that it made up no line: then that of the code before it, in the same function.
  static Site last_place_before(std::uintptr_t pc) {
    constexpr std::uintptr_t as_far_as = 256;
    std::string const function = user_trail(site_of(pc)).function;
    for (std::uintptr_t at = pc; at != pc - as_far_as; --at)
      if (Place const place = user_place(site_of(at)); place.known() && place.function == function) return site_of(at);
    return site_of(pc);
  }

  /// Clang puts a kernel in line in the function of TeamSan's that calls it, and such a function's beginning is no line of the
  /// user's: then the first line of the kernel in it.
  static Site first_place_behind(std::uintptr_t pc) {
    constexpr std::uintptr_t as_far_as = 512;
    Site const here = site_of(pc);
    if (!user_place(here).internal || frames_of(here).empty()) return here;
    std::string const function = frames_of(here).back().function;
    for (std::uintptr_t at = pc; at != pc + as_far_as; ++at) {
      Site const there = site_of(at);
      std::vector<Frame> const& frames = frames_of(there);
      if (frames.empty() || frames.back().function != function) break;
      if (Place const place = user_place(there); place.known() && !place.internal) return there;
    }
    return here;
  }

  void overflow() {
    CrashStack const stack(m_context);
    m_crash.site = first_place_behind(registers::pc(m_context) + 1);
    std::size_t largest = 0, most = stack.frame_bytes(0) + frame_to_come(m_context);
    for (std::size_t i = 1; i < stack.count; ++i)
      if (stack.frame_bytes(i) > most) most = stack.frame_bytes(largest = i);
    std::size_t const holds = m_fiber.stack_bytes;
    auto const calls = static_cast<std::uint64_t>(hot.call_top - m_fiber.calls);
    m_crash.what = fmt::format("stack overflow (a lane's stack holds {} bytes)", with_commas(holds));
    if (most != 0)
      m_crash.why = {largest == 0
                         ? because(Reason::own_frame, with_commas(most))
                         : because(Reason::largest_frame, CodePlace{site_of(stack.frames[largest].pc)}, with_commas(most))};
    m_crash.why.push_back(because(Reason::lane_was_deep, counted(calls, "call")));
    std::size_t const enough = std::bit_ceil(std::max(holds + 1, most + holds / 4));
    m_crash.fix = remedy(Cure::larger_stack, std::min(enough, largest_stack));
  }

  void past_the_end() {
    m_crash.what = "an access past the end of the lane's own stack (SIGSEGV)";
    m_crash.why = {because(Reason::beyond_local_variables)};
  }

  ucontext_t& m_context;
  Fiber const& m_fiber;
  detect::LaneCrash& m_crash;
  bool m_stack_is_lost = false;
};

/// A lane's crash becomes a finding; what its team found before is handed over if its memory is whole.
void report_lane(int signal, siginfo_t const& info, ucontext_t& context) {
  Team& team = *hot.team;
  detect::LaneCrash crash;
  survives([&] { Diagnosis(signal, info, context, crash); });
  if (survives([&] { detect::commit_crashed(team, crash); })) return;
  Collector::instance().note("what the crashed team had found before is lost: the crash left its records damaged");
  survives([&] { detect::report_crash(team, crash); });
}

/// What ended the program outside a kernel is no finding, but told: which signal, and the line of the program's that it came
/// in, as far as its stack can be read.
void note_host_signal(int signal, siginfo_t const& info, ucontext_t const& context) {
  bool const sent = info.si_code == SI_USER && info.si_pid != ::getpid();
  std::string where = sent ? fmt::format("process {} sent it", info.si_pid) : std::string();
  if (!sent)
    survives([&] {
      CrashStack const stack(context);
      std::vector<Site> callers;
      for (std::size_t i = 1; i < stack.count; ++i) callers.push_back(site_of(stack.frames[i].pc));
      if (Place const place = user_place(site_of(stack.frames[0].pc + 1), callers); place.known())
        where = fmt::format("in host code at {}", to_string(place));
    });
  Collector::instance().note(fmt::format("{} ended the program{}{}", words(signal, info), where.empty() ? "" : ", ", where));
}

/// Several workers may crash at once: that the first one in league order speaks, commit_crashed sees to. Any other thread
/// that crashes meanwhile waits for the end.
void on_fatal(int signal, siginfo_t* info, void* context) {
  if (recovery != nullptr) siglongjmp(*recovery, 1);
  if (uses_report_memory()) give_up_report();
  // Outside kernels, and TeamSan's own code, the program's goes first, and may well come back: it mends a page, say.
  if (hot.lane == nullptr && hot.in_runtime == 0 && call_programs_handler(signal, info, context)) return;
  if (someone_crashed.exchange(true) && hot.lane == nullptr)
    for (;;) ::pause();
  Watchdog::arm();
  use_report_memory_after_crash();
  look_up_without_waiting();
  ++hot.in_runtime;
  if (hot.lane != nullptr) report_lane(signal, *info, *static_cast<ucontext_t*>(context));
  bool const for_want_of_memory = hot.lane == nullptr && signal == SIGABRT && was_out_of_memory();
  EndByLane const asked = end_asked_by_lane();
  // A trace has no signals of the host's, and its replay is to say what the run said.
  if (hot.lane == nullptr && !for_want_of_memory && asked.function == nullptr && !trace::recording())
    note_host_signal(signal, *info, *static_cast<ucontext_t const*>(context));
  if (hot.lane == nullptr && asks_to_die_of(signal) && finish_report(true) == 0) die_of(signal);
  end_program(true, for_want_of_memory ? exit_tool_failure : asked.function != nullptr ? asked.status : 128 + signal);
}

}  // namespace

void install_fatal_handlers() {
  struct sigaction action{};
  action.sa_sigaction = on_fatal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (int const signal : fatal_signals) put_before_programs(signal, action);
}

void install_signal_stack() {
  stack_t stack{};
  stack.ss_sp = mmap(nullptr, handler_stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  stack.ss_size = handler_stack_bytes;
  if (stack.ss_sp != MAP_FAILED) use_signal_stack(stack);
}

}  // namespace teamsan
