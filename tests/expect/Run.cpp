// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Run.hpp"

#include <cstdlib>
#include <stdexcept>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace teamsan::test {

Run run(std::vector<std::string> const& command, std::string const& options) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe could be made");
  pid_t const child = fork();
  if (child < 0) throw std::runtime_error("no process could be started");
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    setenv("TEAMSAN_OPTIONS", options.c_str(), 1);
    std::vector<char*> arguments;
    for (auto const& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  close(ends[1]);
  Run result;
  char buffer[65536];
  for (ssize_t count; (count = read(ends[0], buffer, sizeof buffer)) > 0;) result.output.append(buffer, count);
  close(ends[0]);
  int status = 0;
  rusage used{};
  wait4(child, &status, 0, &used);
  result.peak = static_cast<std::size_t>(used.ru_maxrss) * 1024;
  result.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  if (result.status == 127 && result.output.empty()) {
    throw std::runtime_error("cannot start " + command.at(0));
  }
  return result;
}

}  // namespace teamsan::test
