// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Several traces, as the ranks of an MPI program leave them, replayed each in a process of its own, and told in one report.
#pragma once

#include "../../report/Report.hpp"

#include <string>
#include <vector>

namespace teamsan::trace {

/// Replays each of the traces, and gives their reports as one (report/Join.hpp). What the traces say of source files is known
/// afterwards. Throws traces::TraceError.
Report replay_all(std::vector<std::string> const& files);

}  // namespace teamsan::trace
