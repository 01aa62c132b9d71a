/// Runs the checks and models over a trace instead of a program: the trace's host does what it did, its kernels are
/// launched, and their lanes do what TeamReplay.hpp reads. All that the simulator asks of a program while it runs
/// (source lines, segments, call stacks) comes from the trace too, so that the program is not needed. One trace a
/// process.
#pragma once

#include <teamsan/sim/report/Report.hpp>
#include <teamsan/sim/trace/Mode.hpp>
#include <teamsan/traces/TraceFile.hpp>
#include <teamsan/traces/TraceRecords.hpp>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace teamsan::trace {

class Admission;
class TeamReplay;

/// How the trace was recorded. Throws traces::TraceError.
traces::RunRecord run_of(std::string const& file);

/// Makes the recorded run's TEAMSAN_OPTIONS this process', but for where it wrote to; `chosen` (":key=value...") wins.
/// Throws OptionError for a mistake in them.
void set_replay_options(std::string const& file, std::string const& chosen);

/// Replays the trace; TEAMSAN_OPTIONS is set by then. What it finds is in the program's collector. Throws
/// traces::TraceError if the file is no trace; what is damaged is left out, and a note in the report says so. Does not
/// return where the recorded program crashed in a kernel: the report is written, as it was then.
void replay(std::string const& file);

/// Replays each of the traces in a process of its own, and gives their reports as one (report/Join.hpp). What the
/// traces say of source files is known afterwards. Throws traces::TraceError.
Report replay_all(std::vector<std::string> const& files);

/// The recorded program ended by a signal, abort or an exception, outside a kernel.
bool recorded_crash();

/// True once something was wrong with the trace. Nothing of it is done any more from there on, and of the team whose turn it
/// is nothing counts.
bool damaged();
void note_damage(std::exception const& error);

// ---- for TeamReplay ----
/// The construct (a Meeting) that the trace's `meet` events give that number; ~0u: none that this TeamSan knows.
std::uint32_t meeting_now(std::uint32_t recorded);

/// Looks at what the trace's lanes are about to do.
Admission& admission();
/// The team's next piece from there on; false: there is none.
bool read_piece(std::uint64_t launch, std::uint64_t league_rank, traces::Position& from, traces::Bytes& piece,
                bool& last);

}  // namespace teamsan::trace
