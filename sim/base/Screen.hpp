// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The terminal, which the program's output and a line about how far a launch is (process/Progress.hpp) share: the line is gone
/// before anything else is written, and goes below what the program has not ended with a line end.
#pragma once

#include <atomic>
#include <string_view>

namespace teamsan::screen {

/// While it lives, no such line is shown. Patient for a fifth of a second: a crashed thread may hold another one.
class Held {
 public:
  Held() noexcept;
  ~Held();
  Held(Held const&) = delete;
  Held& operator=(Held const&) = delete;

 private:
  bool m_locked;
};

/// Shows that line in place of the one before, if `still` says that it is true.
void show(std::string_view line, bool (*still)()) noexcept;

/// Takes the line away, if one is shown; else costs a load.
void clear() noexcept;
/// The same in a handler of signals: whoever holds the terminal is not waited for.
void clear_at_end() noexcept;

/// The program has written something whose last byte is that one.
void note_output(char last) noexcept;

}  // namespace teamsan::screen
