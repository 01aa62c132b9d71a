// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What of a kernel's launches was checked, and what they cost unchecked: for the report, and for a later run that is to repeat
/// or to share them. Kernels are told apart by label and policy.
#pragma once

#include "../base/EarlierRun.hpp"

#include <cstdint>
#include <string>

namespace teamsan {

/// What the lanes of one launch accessed and what it costs (host/LaunchCost.hpp), known once it has ended.
struct LaunchCost {
  std::uint64_t accesses = 0, lanes = 0;  ///< so many accesses were counted in so many lanes; 0 lanes: not counted
  std::uint64_t plain = 0;                ///< of the launch unchecked, in tenths of nanoseconds as they are estimated
};

struct KernelLaunches {
  std::string kernel, policy;       ///< the label; "TeamPolicy"
  std::uint64_t launches = 0, launches_checked = 0;
  LaunchRuns checked = {};          ///< by which launch of the kernel
  std::uint64_t accesses = 0, lanes = 0;       ///< of its latest launch in which they were counted
  std::uint64_t plain = 0, plain_checked = 0;  ///< cost of all launches, and of those that were checked

  /// One more.
  void add(bool is_checked, LaunchCost const& cost);
};

/// "1-8, 16, 32"; of more than `most` runs the first ones, and how many more launches there are.
std::string to_string(LaunchRuns const& runs, std::size_t most = ~std::size_t{0});

}  // namespace teamsan
