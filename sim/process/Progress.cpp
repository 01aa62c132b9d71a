// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Progress.hpp"

#include "../base/Options.hpp"
#include "../base/ReportFile.hpp"
#include "../base/Screen.hpp"
#include "../findings/TextLayout.hpp"
#include "../machine/Interrupt.hpp"
#include "../memory/Hot.hpp"
#include "../../traces/Printable.hpp"

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
constexpr std::chrono::seconds by_default{5}, between_lines{60};

std::atomic<bool> g_over{false};

/// On a terminal: one line that changes, and goes.
void show_line(LaunchProgress const& launch) {
  static std::uint64_t number;
  number = launch.number;
  std::size_t const columns = terminal_columns(STDERR_FILENO);
  screen::show(progress_text(launch, (columns != 0 ? columns : 80) - 1), [] {
    std::optional<LaunchProgress> const now = launch_progress();
    return now && now->number == number && !g_over;
  });
}

void* look(void* on_terminal) {
  ++hot.in_runtime;
  pthread_setname_np(pthread_self(), "teamsan-status");
  std::chrono::seconds const from = options().progress ? std::chrono::seconds(*options().progress) : by_default;
  std::chrono::steady_clock::time_point next_line{};
  while (!g_over) {
    std::this_thread::sleep_for(between_looks);
    std::optional<LaunchProgress> const launch = launch_progress();
    if (!launch || launch->time < from) continue;
    if (on_terminal != nullptr) {
      show_line(*launch);
    } else if (auto const now = std::chrono::steady_clock::now(); now >= next_line) {
      write_to_stderr(progress_text(*launch, ~std::size_t{0}) + '\n');
      next_line = now + between_lines;
    }
  }
  return nullptr;
}

/// "1:05:09", "0:41".
std::string clock_text(std::chrono::seconds time) {
  auto const seconds = time.count();
  return seconds >= 3600 ? fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
                         : fmt::format("{}:{:02}", seconds / 60, seconds % 60);
}

}  // namespace

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
  if (columns > rest.size() + 3 && text.size() > columns - rest.size())
    text = text.substr(0, columns - rest.size() - 3) + "...";
  return (text + rest).substr(0, columns);
}

void show_progress() noexcept {
  char const* const terminal = ::getenv("TERM");
  bool const plain = terminal == nullptr || std::string_view(terminal) == "dumb" || ::isatty(STDERR_FILENO) == 0;
  bool const wanted = options().progress ? *options().progress != 0 : !plain;
  if (!wanted || options().gdb) return;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  static bool on_terminal = true;
  if (pthread_create(&thread, nullptr, look, plain ? nullptr : &on_terminal) == 0) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void end_progress() noexcept {
  g_over = true;
  screen::clear_at_end();
}

}  // namespace teamsan
