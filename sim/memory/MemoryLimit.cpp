// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MemoryLimit.hpp"

#include "../base/ExitStatus.hpp"
#include "../base/Options.hpp"
#include "../findings/Collector.hpp"
#include "../findings/Ending.hpp"
#include "Hot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <pthread.h>
#include <signal.h>
#include <sstream>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace teamsan::memory_limit {

namespace {

constexpr std::chrono::milliseconds between_looks{20};  // in which a program fills some ten megabytes

std::atomic<bool> passed{false};
std::atomic<bool> watched{false};  ///< by a thread of this process

std::size_t machine_memory() {
  auto const pages = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES));
  std::size_t most = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::ifstream file("/proc/self/cgroup");
  most = std::min(most, group_limit({std::istreambuf_iterator<char>(file), {}}, "/sys/fs/cgroup"));
  rlimit data{};
  if (getrlimit(RLIMIT_DATA, &data) == 0 && data.rlim_cur != RLIM_INFINITY)
    most = std::min<std::size_t>(most, data.rlim_cur);
  return most;
}

[[noreturn]] void stay() {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

/// Writes the report and ends the program.
[[noreturn]] void end(std::string_view label) {
  if (passed.exchange(true)) stay();
  auto const mib = [](std::size_t bytes) { return static_cast<double>(bytes) / 1048576.; };
  std::string const at = label.empty() ? "" : fmt::format(" before \"{}\" is allocated", label);
  Collector::instance().note_limit(fmt::format(
      "the memory limit ended the program: it holds {:.1f} MiB{}, {:.1f} MiB are allowed ({}); use a smaller "
      "problem, check "
      "fewer teams (--quick, --team N, --kernel-name PATTERN), or memory_limit=BYTES to allow more",
      mib(held()), at, mib(limit()),
      options().memory_limit != 0 ? "--memory-limit"
                                  : "three quarters of what the machine or its control group has"));
  finish_report(true);
  leave_process(exit_tool_failure);  // no pass, whatever was found
}

void* look(void*) {
  ++hot.in_runtime;
  pthread_setname_np(pthread_self(), "teamsan-memory");
  while (held() <= limit()) std::this_thread::sleep_for(between_looks);
  end({});
}

}  // namespace

std::size_t group_limit(std::string const& cgroups, std::string const& root) {
  std::size_t least = ~std::size_t{0};
  auto const ask = [&](std::string const& file) {
    std::size_t bytes = 0;
    if (std::ifstream(file) >> bytes) least = std::min(least, bytes);  // "max" is no number
  };
  std::istringstream lines(cgroups);
  for (std::string line; std::getline(lines, line);) {
    std::size_t const first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    std::string const controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    bool const unified = controllers == ",,";
    if (!unified && controllers.find(",memory,") == std::string::npos) continue;
    // A container may see its own group at the root, under whatever path.
    for (std::string path = line.substr(second + 1);; path.resize(path.rfind('/'))) {
      if (path == "/") path.clear();
      ask(unified ? root + path + "/memory.max" : root + "/memory" + path + "/memory.limit_in_bytes");
      if (path.find('/') == std::string::npos) break;
    }
  }
  return least;
}

std::size_t limit() {
  static std::size_t const bytes =
      options().memory_limit != 0 ? options().memory_limit : machine_memory() / 4 * 3;
  return bytes;
}

std::size_t held() {
  static int const file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  static auto const page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  char text[128] = {};
  unsigned long size = 0, resident = 0, shared = 0;
  if (::pread(file, text, sizeof text - 1, 0) <= 0 ||
      std::sscanf(text, "%lu %lu %lu", &size, &resident, &shared) != 3)
    return 0;
  return (resident - std::min(resident, shared)) * page;
}

void watch() {
  if (watched.load(std::memory_order_relaxed) || watched.exchange(true)) return;
  static bool const seen_to_forks = ::pthread_atfork(nullptr, nullptr, [] { watched = false; }) == 0;
  static_cast<void>(seen_to_forks);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  if (pthread_create(&thread, nullptr, look, nullptr) == 0) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void check(std::string_view label, std::size_t bytes) {
  watch();
  // Looking takes as long as making a small allocation does: of those the first does it, and then some for all.
  constexpr std::size_t few = std::size_t{64} << 10;
  static std::atomic<std::size_t> unseen{few};
  if (unseen.fetch_add(bytes, std::memory_order_relaxed) + bytes < few) return;
  unseen.store(0, std::memory_order_relaxed);
  if (held() > limit()) end(label);
}

void stop_if_passed() noexcept {
  if (passed.load(std::memory_order_relaxed)) [[unlikely]]
    stay();
}

}  // namespace teamsan::memory_limit
