// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Findings in the text log while the program runs: each when it is first made (of a kernel, when its team is committed), so
/// that a program which is killed has told what it knew. The order is that of the final report, whatever the number of workers.
/// What is left out of that report, and what stands under another finding of its cause, is not told here.
#pragma once

#include <string>
#include <unordered_set>

namespace teamsan {

/// What was told so far.
struct Told {
  std::unordered_set<std::string> ids;
  std::string text;  ///< of a log file, which is written anew each time
};
Told told_so_far();

}  // namespace teamsan
