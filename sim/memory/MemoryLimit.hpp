// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How much memory the program may come to hold, with all that is kept of it: --memory-limit, or three
/// quarters of what its control groups, the machine and `ulimit -d` let it have. A thread looks at it; once
/// the limit is passed, the report is written and the program ends with status 3, before the system kills it
/// without one. What counts is the process' own memory that is in use: pages that were never touched cost
/// nothing, and of files and memory shared with other processes nothing is counted.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace teamsan::memory_limit {

/// Bytes.
std::size_t limit();
/// Bytes that the process holds.
std::size_t held();

/// Begins to look; again in the child of a fork. To be called for each launch.
void watch();

/// An allocation of that label is about to be made: ends the program if the limit is passed. Begins to look,
/// too.
void check(std::string_view label, std::size_t bytes);

/// Those who take memory in the middle of a kernel ask before: they stay here once the limit is passed and
/// the report is being written.
void stop_if_passed() noexcept;

/// Of the text of a file as the kernel shows control groups, /proc/self/cgroup: the least limit on memory of
/// the groups it names and their parents, under `root`; ~0: none.
std::size_t group_limit(std::string const& cgroups, std::string const& root);

}  // namespace teamsan::memory_limit
