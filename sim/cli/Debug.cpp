// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Debug.hpp"

#include "Commands.hpp"
#include "ProgramFile.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace teamsan::cli {

void debug(std::string const& path, std::vector<std::string> const& words, std::string const& text) {
  std::string gdb;
  try {
    gdb = find_program("gdb");
  } catch (UsageError const&) {
    throw UsageError("--gdb needs gdb, and none is in PATH (Debian: apt-get install gdb; scripts/setup --gdb)");
  }
  // One worker: the same finding comes first every time.
  ::setenv("TEAMSAN_OPTIONS", (text + (text.empty() ? "" : ":") + "gdb=1:num_threads=1").c_str(), 1);
  std::error_code ignored;
  std::string const real = std::filesystem::canonical(path, ignored).string();
  // The script lies in the program, and gdb runs scripts only of what it is told to trust.
  std::vector<std::string> command{gdb,   "-q", "-iex", "add-auto-load-safe-path " + (real.empty() ? path : real), "-ex",
                                   "teamsan start", "--args", path};
  command.insert(command.end(), words.begin() + 1, words.end());
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execv(gdb.c_str(), arguments.data());
  throw UsageError(fmt::format("cannot start {}: {}", gdb, std::strerror(errno)));
}

}  // namespace teamsan::cli
