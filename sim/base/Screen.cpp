// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Screen.hpp"

#include <unistd.h>

#include <chrono>
#include <mutex>

namespace teamsan::screen {

namespace {

constexpr std::string_view clear_line = "\r\033[K";

std::timed_mutex mutex;
std::atomic<bool> shown{false};     ///< or about to be: set before it is asked whether the launch still runs
std::atomic<bool> mid_line{false};  ///< the program's latest output does not end with a line end

void put(std::string_view text) noexcept {
  while (!text.empty()) {
    ssize_t const written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void take_away() noexcept {
  if (shown.exchange(false)) put(clear_line);
}

}  // namespace

Held::Held() noexcept : m_locked(mutex.try_lock_for(std::chrono::milliseconds(200))) { take_away(); }
Held::~Held() {
  if (m_locked) mutex.unlock();
}

void show(std::string_view line, bool (*still)()) noexcept {
  std::unique_lock const lock(mutex, std::chrono::milliseconds(200));
  if (!lock.owns_lock()) return;
  bool const before = shown.exchange(true);
  if (!still()) {  // who ends the launch has seen that it was shown, and waits, or is behind us
    if (before)
      take_away();
    else
      shown = false;
    return;
  }
  if (!before && mid_line.exchange(false)) put("\n");
  put(clear_line);
  put(line);
}

void clear() noexcept {
  if (shown.load()) Held const held;
}

void clear_at_end() noexcept { take_away(); }

void note_output(char last) noexcept { mid_line.store(last != '\n', std::memory_order_relaxed); }

}  // namespace teamsan::screen
