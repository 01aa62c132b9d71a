// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The calls around an instruction that a fatal signal interrupted. The stack may be damaged, overflowed or another than it
/// seems: each step may end the walk, none ends the program.
#pragma once

#include "../../traces/Site.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <ucontext.h>
#include <vector>

namespace teamsan {

struct CrashStack {
  struct Frame {
    std::uintptr_t pc;  ///< the interrupted instruction; in outer frames a return address
    std::uintptr_t sp;  ///< there
  };
  static constexpr std::size_t most = 64;

  /// Innermost first; the first is the interrupted one, whatever it is.
  explicit CrashStack(ucontext_t const& context);

  Frame frames[most];
  std::size_t count = 0;

  /// Bytes of the frame, up to and with its return address; 0: unknown.
  std::size_t frame_bytes(std::size_t i) const;

  /// Innermost first: those found here and, where the walk ended too early, what the lane itself noted of
  /// its calls.
  std::vector<Site> callers() const;
};

/// What is there, or 0 if it cannot be read.
std::uintptr_t read_word(std::uintptr_t address);

/// Is that a return address: does it lie behind a call?
bool follows_call(std::uintptr_t address);

/// Where the function begins that the direct call before this return address called; 0: unknown.
std::uintptr_t called_function(std::uintptr_t address);

/// Bytes that the function at `pc` takes of the stack once it goes on: it is about to take its frame in steps, each of which
/// touches the stack (-fstack-clash-protection), and `pc` is such a touch. 0: it is not, or there is no more.
std::size_t frame_to_come(ucontext_t const& context);

}  // namespace teamsan
