// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What moves.cpp gives to main.cpp, once for each compiler and level of optimisation: functions that store
/// or read a number of bytes which the compiler knew.
#pragma once

#include <span>

namespace fills {

struct Move {
  char const* name;
  int bytes;
  bool writes, reads;  ///< so many bytes: to `to`, from `from`
  void (*run)(char* to, char const* from, int value);
};

struct Moves {
  char const* compiled;  ///< "-O2"
  std::span<Move const> every_length, of_libc;
  void (*store)(char* to);
  int (*load)(char const* from);
};

extern Moves const moves_O0, moves_O1, moves_O2, moves_O3;

}  // namespace fills
