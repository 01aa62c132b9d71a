// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Program.hpp"

#include <atomic>
#include <fstream>
#include <iterator>

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

}  // namespace teamsan
