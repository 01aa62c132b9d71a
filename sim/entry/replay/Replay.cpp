// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Replay.hpp"

#include "../../base/Options.hpp"
#include "../../base/ScratchSlots.hpp"
#include "../../base/Start.hpp"
#include "../../places/Program.hpp"
#include "HostReplay.hpp"
#include "ReplayedTrace.hpp"
#include "../../trace/Recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace teamsan::trace {

using namespace traces;

namespace {

struct Replay {
  explicit Replay(std::string const& file) : trace(file) {}
  ReplayedTrace trace;
  HostReplay host{trace};
};

/// Never destroyed: the report asks for it at the very end.
Replay* current = nullptr;

}  // namespace

RunRecord run_of(std::string const& file) {
  TraceReader reader(file);
  for (TraceRecord record; reader.next(record);)
    if (static_cast<RecordTag>(record.tag) == RecordTag::run) return decode<RunRecord>(record.bytes);
  throw TraceError(reader.damage().empty() ? fmt::format("the trace \"{}\" does not say how it was recorded", file)
                                           : reader.damage());
}

void set_replay_options(std::string const& file, std::string const& chosen) {
  RunRecord const run = run_of(file);
  if (run.spaces != address_spaces())
    throw TraceError(fmt::format("the trace \"{}\" comes from a TeamSan whose simulated memory lay at other addresses ({}); "
                                 "record it again", file, run.teamsan));
  if (run.scratch_slots != scratch_slots::of_older_traces && run.scratch_slots != scratch_slots::of_programs)
    throw TraceError(fmt::format("the trace \"{}\" has {} slots of scratch, where this TeamSan knows {} and {}; record it "
                                 "again", file, run.scratch_slots, scratch_slots::of_older_traces, scratch_slots::of_programs));
  scratch_slots::take_in_turn(run.scratch_slots);
  // Nothing runs beside a replay, and what it takes is shadow alone. A lane that waits in vain does so for nobody's sake.
  constexpr std::uint64_t longest_wait = 1'000'000'000'000;
  Options const recorded = recorded_options(run, file);
  std::string const text =
      fmt::format("{}:explore=0:gdb=0:stream=0:num_threads=1:memory_limit=4194304G:spin_limit={}{}", options_text(recorded),
                  std::min(recorded.spin_limit, longest_wait), chosen);
  parse_options(text);
  ::setenv("TEAMSAN_OPTIONS", text.c_str(), 1);
}

void begin_replay(std::string const& file) {
  current = new Replay(file);
  set_file(file);
  set_program(current->trace.program());
}

void replay(std::string const& file) {
  begin_replay(file);
  start();
  try {
    current->host.run();
  } catch (std::exception const& error) {
    current->trace.note_damage(error);
  }
}

void learn_program(std::string const& file) {
  TraceReader reader(file);
  for (TraceRecord record; reader.next(record);) current->trace.program().learn(record);
}

bool recorded_crash() { return current->host.crashed(); }

bool damaged() { return current->trace.damaged(); }

void set_damaged() { current->trace.set_damaged(); }

}  // namespace teamsan::trace
