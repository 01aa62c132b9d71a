// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <teamsan/sim/process/Progress.hpp>

#include <teamsan/sim/base/Options.hpp>
#include <teamsan/sim/findings/TextLayout.hpp>
#include <teamsan/sim/machine/Interrupt.hpp>
#include <teamsan/sim/memory/Hot.hpp>
#include <teamsan/traces/Printable.hpp>

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <thread>

namespace teamsan {
namespace {

constexpr std::chrono::milliseconds between_looks{500};
constexpr std::string_view clear_line = "\r\033[K";

std::atomic<bool> g_over{false};
std::atomic<bool> g_shown{false};

void put(std::string_view text) noexcept {
  while (!text.empty()) {
    ssize_t const written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void* look(void*) {
  ++hot.in_runtime;
  pthread_setname_np(pthread_self(), "teamsan-status");
  std::chrono::seconds const from(options().progress);
  while (!g_over) {
    std::this_thread::sleep_for(between_looks);
    std::optional<LaunchProgress> const launch = launch_progress();
    if (!launch || launch->time < from) {
      hide_progress();
      continue;
    }
    std::size_t const columns = terminal_columns(STDERR_FILENO);
    put(std::string(clear_line) + progress_text(*launch, (columns != 0 ? columns : 80) - 1));
    g_shown = true;
  }
  hide_progress();
  return nullptr;
}

/// "1:05:09", "0:41".
std::string clock_text(std::chrono::seconds time) {
  auto const seconds = time.count();
  return seconds >= 3600 ? fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
                         : fmt::format("{}:{:02}", seconds / 60, seconds % 60);
}

}  // namespace

void hide_progress() noexcept {
  if (g_shown.exchange(false)) put(clear_line);
}

std::string progress_text(LaunchProgress const& launch, std::size_t columns) {
  auto const seconds = std::chrono::duration_cast<std::chrono::seconds>(launch.time);
  std::string rest = fmt::format(", launch {}: {} of {}, {}", with_commas(launch.number), with_commas(launch.teams_done),
                                 counted(launch.teams, "team"), clock_text(seconds));
  if (launch.teams_done != 0) {
    double const share = static_cast<double>(launch.teams - launch.teams_done) / static_cast<double>(launch.teams_done);
    std::chrono::duration<double> const left = share * launch.time;
    rest += fmt::format(", some {} to go", clock_text(std::chrono::duration_cast<std::chrono::seconds>(left)));
  }
  std::string text = "teamsan: " + traces::printable(launch.label);
  if (text.size() + rest.size() > columns && columns > rest.size() + 3)
    text = text.substr(0, columns - rest.size() - 3) + "...";
  return (text + rest).substr(0, columns);
}

void show_progress() noexcept {
  char const* const terminal = ::getenv("TERM");
  bool const plain = terminal == nullptr || std::string_view(terminal) == "dumb";
  if (options().progress == 0 || options().gdb || plain || ::isatty(STDERR_FILENO) == 0) return;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  if (pthread_create(&thread, nullptr, look, nullptr) == 0) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void end_progress() noexcept {
  g_over = true;
  hide_progress();
}

}  // namespace teamsan
