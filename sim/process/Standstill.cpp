// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Standstill.hpp"

#include "../base/ExitStatus.hpp"
#include "../base/Options.hpp"
#include "../base/ReportMemory.hpp"
#include "../base/Survives.hpp"
#include "../detect/Standstill.hpp"
#include "../findings/Ending.hpp"
#include "../machine/Interrupt.hpp"
#include "../machine/Team.hpp"
#include "../machine/Worker.hpp"
#include "../memory/Hot.hpp"
#include "../places/Sites.hpp"
#include "../places/Symbolizer.hpp"
#include "CrashStack.hpp"
#include "Exit.hpp"
#include "ProgramHandlers.hpp"
#include "Registers.hpp"
#include "Watchdog.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <linux/futex.h>
#include <optional>
#include <string_view>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace teamsan {

// Looks allocate nothing: a thread that waits for ever may hold the heap's lock.
namespace {

/// A small file of /proc, as far as there is room.
class SystemFile {
 public:
  explicit SystemFile(char const* path) {
    int const file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    ssize_t const got = ::read(file, m_text, sizeof m_text);
    ::close(file);
    m_read = got >= 0;
    m_bytes = m_read ? static_cast<std::size_t>(got) : 0;
  }
  static SystemFile of_thread(pid_t thread, char const* name) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/self/task/%d/%s", thread, name);
    return SystemFile(path);
  }
  bool is_read() const { return m_read; }
  std::string_view text() const { return {m_text, m_bytes}; }
  /// What stands behind the name, as a number.
  std::optional<std::uint64_t> number(std::string_view name) const {
    std::size_t at = text().find(name);
    if (at == std::string_view::npos) return {};
    at = text().find_first_not_of(" \t", at + name.size());
    std::uint64_t value = 0;
    if (at == std::string_view::npos || std::from_chars(m_text + at, m_text + m_bytes, value).ec != std::errc()) return {};
    return value;
  }

 private:
  char m_text[4096];
  std::size_t m_bytes = 0;
  bool m_read = false;
};

/// The system call that a thread is in.
struct SystemCall {
  std::uint64_t number = 0, arguments[6] = {};
  bool known = false;

  /// "202 0x7ffd... 0x80 0x2 0x0 0x0 0x0 0x7ff... 0x7f...", the last two being its stack and instruction.
  explicit SystemCall(std::string_view line) {
    char const *at = line.data(), *const end = at + line.size();
    auto read = std::from_chars(at, end, number);
    known = read.ec == std::errc();
    for (std::uint64_t& argument : arguments) {
      at = read.ptr;
      while (known && at != end && (*at == ' ' || *at == 'x' || (*at == '0' && at + 1 != end && at[1] == 'x'))) ++at;
      if (known) read = std::from_chars(at, end, argument, 16);
      known = known && read.ec == std::errc();
    }
  }
  /// Until another thread ends it.
  bool waits_for_ever() const {
    if (!known || number != SYS_futex || arguments[3] != 0) return false;
    switch (arguments[1] & static_cast<std::uint64_t>(FUTEX_CMD_MASK)) {
      case FUTEX_WAIT:
      case FUTEX_WAIT_BITSET:
      case FUTEX_WAIT_REQUEUE_PI:
      case FUTEX_LOCK_PI:
        return true;
    }
    return false;
  }
  /// Another process may, too, if it has the memory.
  bool may_be_ended_from_outside() const { return (arguments[1] & FUTEX_PRIVATE_FLAG) == 0; }
};

/// f(thread) for each thread of the process, until it gives false. True: none did.
template <class F>
bool for_each_thread(F f) {
  int const folder = ::open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return false;
  struct Entry {  // as getdents64 writes it
    std::uint64_t number;
    std::int64_t next;
    unsigned short bytes;
    unsigned char type;
    char name[1];
  };
  alignas(Entry) char entries[4096];
  bool all = true;
  for (long got; all && (got = ::syscall(SYS_getdents64, folder, entries, sizeof entries)) != 0;) {
    all = got > 0;
    for (long at = 0; all && at < got;) {
      auto const* const entry = reinterpret_cast<Entry const*>(entries + at);
      int thread = 0;
      std::from_chars(entry->name, entry->name + std::strlen(entry->name), thread);
      if (thread != 0) all = f(static_cast<pid_t>(thread));
      at += entry->bytes;
    }
  }
  ::close(folder);
  return all;
}

Worker::Look worker_on(pid_t thread) {
  Worker::Look found{};
  Worker::for_each([&](Worker::Look const& look) {
    if (look.thread == thread) found = look;
  });
  return found;
}

bool has_lane(Worker::Look const& worker) { return worker.hot != nullptr && worker.hot->lane != nullptr; }

/// Of all threads: equal ones mean that none of them ran between. 0: one of them may get on, or no lane waits in the system.
class Stillness {
 public:
  explicit Stillness(std::uint64_t launch) {
    add(launch);
    pid_t const own = static_cast<pid_t>(::syscall(SYS_gettid));
    bool const all = for_each_thread([&](pid_t thread) { return thread == own || is_still(thread); });
    if (!all || !m_lane_waits) m_value = 0;
  }
  std::uint64_t value() const { return m_value; }

  /// Is no word that a thread waits at shared with another process?
  bool is_of_this_process() const {
    for (std::size_t i = 0; i != m_words; ++i)
      if (!is_private(m_word[i])) return false;
    return true;
  }

 private:
  void add(std::uint64_t part) { m_value = ((m_value ^ part) * 0x9e3779b97f4a7c15u ^ part >> 29) | 1; }

  bool is_still(pid_t thread) {
    add(static_cast<std::uint64_t>(thread));
    if (SystemFile::of_thread(thread, "comm").text().starts_with("teamsan-")) return true;  // one that looks, as we do
    Worker::Look const worker = worker_on(thread);
    if (worker.waits % 2 != 0) {
      add(worker.waits);
      return true;
    }
    SystemFile const call = SystemFile::of_thread(thread, "syscall");
    SystemCall const waits(call.text());
    if (!waits.waits_for_ever()) return false;
    for (char const c : call.text()) add(static_cast<unsigned char>(c));
    SystemFile const status = SystemFile::of_thread(thread, "status");
    auto const slept = status.number("\nvoluntary_ctxt_switches:"), put_aside = status.number("\nnonvoluntary_ctxt_switches:");
    if (!slept || !put_aside || status.text().find("\nState:\tS") == std::string_view::npos) return false;
    add(*slept);
    add(*put_aside);
    if (waits.may_be_ended_from_outside()) {
      if (m_words == std::size(m_word)) return false;
      m_word[m_words++] = waits.arguments[0];
    }
    m_lane_waits = m_lane_waits || has_lane(worker);
    return true;
  }

  /// In a mapping that is the process' own.
  static bool is_private(std::uint64_t address) {
    int const file = ::open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    bool found = false, own = false;
    char line[64];  // "7f3a5c000000-7f3a5c021000 rw-p ...": its beginning is enough
    std::size_t bytes = 0;
    char text[4096];
    for (ssize_t got; !found && (got = ::read(file, text, sizeof text)) > 0;) {
      for (ssize_t i = 0; i != got && !found; ++i) {
        if (text[i] != '\n') {
          if (bytes != sizeof line) line[bytes++] = text[i];
          continue;
        }
        std::uint64_t begin = 0, end = 0;
        auto const first = std::from_chars(line, line + bytes, begin, 16);
        auto const last = std::from_chars(std::min<char const*>(first.ptr + 1, line + bytes), line + bytes, end, 16);
        found = begin <= address && address < end;
        own = found && last.ptr + 5 <= line + bytes && last.ptr[4] == 'p';
        bytes = 0;
      }
    }
    ::close(file);
    return own;
  }

  std::uint64_t m_value = 0;
  bool m_lane_waits = false;
  std::uint64_t m_word[256];
  std::size_t m_words = 0;
};

/// Nobody looks at the program who could let it go on, and no clock will.
bool is_left_alone() {
  auto const tracer = SystemFile("/proc/self/status").number("\nTracerPid:");
  if (!tracer || *tracer != 0) return false;
  for (auto const timer : {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF}) {
    itimerval now{};
    if (::getitimer(timer, &now) == 0 && (now.it_value.tv_sec != 0 || now.it_value.tv_usec != 0)) return false;
  }
  return SystemFile("/proc/self/timers").text().empty();
}

/// A thread that waits says where: it is asked by a signal that nobody uses.
class Inquiry {
 public:
  Inquiry() {
    for (int s = SIGRTMAX; s > SIGRTMIN && m_signal == 0; --s) {
      struct sigaction now {};
      if (real_sigaction(s, nullptr, &now) == 0 && now.sa_handler == SIG_DFL) m_signal = s;
    }
    struct sigaction ours {};
    ours.sa_sigaction = answer;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    if (m_signal != 0) real_sigaction(m_signal, &ours, nullptr);
  }

  void ask(pid_t thread, detect::WaitingLane& lane) {
    asked = &lane;
    answered = false;
    if (m_signal == 0 || ::syscall(SYS_tgkill, ::getpid(), thread, m_signal) != 0) return;
    for (int i = 0; i != most_patience && m_patience != 0 && !answered; ++i, --m_patience) {
      timespec const millisecond{0, 1'000'000};
      ::nanosleep(&millisecond, nullptr);
    }
    asked = nullptr;
  }

 private:
  static void answer(int, siginfo_t*, void* context) {
    detect::WaitingLane* const lane = asked.exchange(nullptr);
    if (lane == nullptr) return;
    int const before = errno;
    use_report_memory();  // until the end, which is near
    RuntimeScope const scope;
    survives([&] {
      auto const& there = *static_cast<ucontext_t const*>(context);
      lane->site = site_at(registers::pc(there) + 1);
      lane->callers = CrashStack(there).callers();
    });
    answered = true;
    errno = before;
  }

  /// Milliseconds, of a machine that may have much else to do. One thread that keeps the signal from itself uses up no more
  /// than that.
  static constexpr int most_patience = 5000;
  static inline std::atomic<detect::WaitingLane*> asked{nullptr};
  static inline std::atomic<bool> answered{false};
  int m_patience = 4 * most_patience;
  int m_signal = 0;
};

/// The calls that it noted are known of a thread that does not answer, too.
void fill_in(detect::WaitingLane& lane, Hot const& hot_there) {
  if (lane.site != Site{} || hot_there.call_top == nullptr) return;
  auto const calls = hot_there.lane->stack.calls(hot_there.call_top);
  for (auto c = calls.rbegin(); c != calls.rend(); ++c) lane.callers.push_back(site_at(*c));
  if (!lane.callers.empty()) lane.site = lane.callers.front();
}

[[noreturn]] void tell_of_standstill() {
  Watchdog::arm();
  use_report_memory();
  look_up_without_waiting();
  std::vector<std::pair<Worker::Look, detect::WaitingLane>> waiting;
  Worker::for_each([&](Worker::Look const& worker) {
    if (!has_lane(worker) || worker.waits % 2 != 0) return;
    detect::WaitingLane lane;
    lane.team = worker.hot->team;
    lane.index = worker.hot->lane->lane.index;
    waiting.emplace_back(worker, std::move(lane));
  });
  Inquiry inquiry;
  std::vector<detect::WaitingLane> lanes;
  for (auto& [worker, lane] : waiting) {
    inquiry.ask(worker.thread, lane);
    fill_in(lane, *worker.hot);
    lanes.push_back(lane);
  }
  detect::report_standstill(std::move(lanes));
  end_program(true, exit_tool_failure);
}

}  // namespace

void Standstill::look() noexcept {
  std::uint64_t const launch = options().enabled(Rule::deadlock) && !is_ending() ? running_launch() : 0;
  std::optional<Stillness> now;
  if (launch != 0) now.emplace(launch);
  std::uint64_t const seen = now ? now->value() : 0;
  if (std::exchange(m_seen, seen) != seen || seen == 0) m_times = 0;
  if (seen == 0 || ++m_times < looks) return;
  m_times = 0;
  if (now->is_of_this_process() && is_left_alone()) tell_of_standstill();
}

}  // namespace teamsan
