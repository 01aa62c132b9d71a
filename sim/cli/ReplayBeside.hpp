// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// `teamsan replay --device NAME --beside TRACE`: the same trace on the device that it was recorded for and on another one, in
/// one table. Each is a replay in a process of its own, since a process replays once.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace teamsan::cli {

/// `values`: options of the replay by their keys, with `device` among them. Prints what compare prints of two reports.
/// Returns the exit status. Throws UsageError.
int replay_beside(std::vector<std::string> const& files, std::map<std::string, std::vector<std::string>> const& values);

}  // namespace teamsan::cli
