// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Whether this process records a trace; and the trace that it records or replays. Set before any kernel runs.
#pragma once

#include <string>

namespace teamsan::trace {

extern constinit bool is_recording;
inline bool recording() { return is_recording; }
/// Nothing of the program is here but what its trace says.
bool replaying();

/// The trace that this process has recorded, or replays; empty: neither.
std::string file();
/// For a replay.
void set_file(std::string const& name);

}  // namespace teamsan::trace
