// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs the checks and models over a trace instead of a program: the trace's host does what it did, its kernels are
/// launched, and their lanes do what TeamReplay.hpp reads. All that the simulator asks of a program while it runs
/// (source lines, segments, call stacks) comes from the trace too, so that the program is not needed. One trace a
/// process.
#pragma once

#include "../../trace/Mode.hpp"
#include "../../../traces/TraceFile.hpp"
#include "../../../traces/TraceRecords.hpp"

#include <string>

namespace teamsan::trace {

/// How the trace was recorded. Throws traces::TraceError.
traces::RunRecord run_of(std::string const& file);

/// Makes the recorded run's TEAMSAN_OPTIONS this process', but for where it wrote to; `chosen` (":key=value...") wins.
/// Throws OptionError for a mistake in them.
void set_replay_options(std::string const& file, std::string const& chosen);

/// Replays the trace; TEAMSAN_OPTIONS is set by then. What it finds is in the program's collector. Throws
/// traces::TraceError if the file is no trace; what is damaged is left out, and a note in the report says so. Does not
/// return where the recorded program crashed in a kernel: the report is written, as it was then.
void replay(std::string const& file);

/// The recorded program ended by a signal, abort or an exception, outside a kernel.
bool recorded_crash();

/// True once something was wrong with the trace. Nothing of it is done any more from there on, and of the team whose turn it
/// is nothing counts.
bool damaged();

// ---- for JoinedReplays ----
/// From now on this process answers for the program out of that trace.
void begin_replay(std::string const& file);
/// What another trace says of its program.
void learn_program(std::string const& file);
void set_damaged();

}  // namespace teamsan::trace
