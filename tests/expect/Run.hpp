// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One run of a program: what it printed, how it ended, what it took. Cannot see output that the program writes to files.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace teamsan::test {

struct Run {
  std::string output;  ///< standard output and error, as they came
  int status = 0;      ///< exit status; 128 + N if signal N ended it
  std::size_t peak = 0;  ///< bytes of memory that it had at a time, at most
};

/// Runs `command` to its end with TEAMSAN_OPTIONS set to `options`. Throws std::runtime_error if it cannot be started.
Run run(std::vector<std::string> const& command, std::string const& options);

}  // namespace teamsan::test
