// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What an earlier run's report says of a kernel's launches, for --launches-of and --by.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace teamsan {

/// Launches of a kernel by which one they are, from 1: first and last of each run of them, ascending.
using LaunchRuns = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

struct EarlierKernel {
  std::string kernel, policy;  ///< the label; "RangePolicy", "MDRangePolicy", "TeamPolicy", "WorkGraphPolicy"
  LaunchRuns checked;
  std::uint64_t launches = 0;
  std::uint64_t accesses = 0, lanes = 0;  ///< so many accesses were counted in so many lanes; 0 lanes: not counted
};

}  // namespace teamsan
