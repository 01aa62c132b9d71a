// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Program.hpp"

#include "Sites.hpp"

#include <atomic>
#include <fstream>
#include <iterator>
#include <unwind.h>

namespace teamsan {

namespace {
std::atomic<Program*> other{nullptr};
}

Program& program() {
  static Program& process = *new Program;
  Program* const instead = other.load(std::memory_order_relaxed);
  return instead != nullptr ? *instead : process;
}

void set_program(Program& instead) { other = &instead; }

std::vector<std::string> Program::arguments() {
  std::vector<std::string> arguments;
  std::ifstream stream("/proc/self/cmdline", std::ios::binary);
  for (std::string word; std::getline(stream, word, '\0');) arguments.push_back(word);
  return arguments;
}

std::vector<Site> Program::stack() { return calls_to_here(); }

std::vector<Site> calls_to_here() {
  struct Walk {
    std::size_t count = 0;
    Site frames[48];
  } walk;
  _Unwind_Backtrace(
      [](_Unwind_Context* context, void* data) {
        Walk& to = *static_cast<Walk*>(data);
        to.frames[to.count++] = site_at(_Unwind_GetIP(context));
        return to.count == std::size(to.frames) ? _URC_END_OF_STACK : _URC_NO_REASON;
      },
      &walk);
  return {walk.frames, walk.frames + walk.count};
}

}  // namespace teamsan
