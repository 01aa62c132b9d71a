// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Goes through a trace from its beginning to its end, once, and tells a visitor what stands there: for readers that
/// run no checks. Holds one chunk and what one team's events need, however long the trace is.
#pragma once

#include "Event.hpp"
#include "EventDecoder.hpp"
#include "TraceRecords.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace teamsan::traces {

/// Which kernels' lanes are of interest; the rest is not decoded.
struct TraceFilter {
  std::string kernel;        ///< of that label; * is any text; empty: all
  std::vector<std::uint64_t> launches;  ///< by number, from 1; empty: all
  std::int64_t team = -1;    ///< by league rank; -1: all
  std::uint64_t teams = 0;   ///< only the first so many of a launch; 0: all

  bool wants(LaunchRecord const& launch_record) const;
  bool wants_team(std::uint64_t league_rank) const;
};

/// True if the text matches the pattern, in which * is any text.
bool matches(std::string_view pattern, std::string_view text);

/// Gets what it overrides. Host records and launches come whether the filter wants the launch or not; events do not.
class TraceVisitor {
 public:
  virtual ~TraceVisitor() = default;
  virtual void on_run(RunRecord const&) {}
  virtual void on_frames(FramesRecord const&) {}
  virtual void on_source(SourceRecord const&) {}
  virtual void on_allocate(AllocateRecord const&) {}
  virtual void on_free(FreeRecord const&) {}
  virtual void on_launch(LaunchRecord const&, bool /*wanted*/) {}
  virtual void on_launch_end(LaunchEndRecord const&) {}
  virtual void on_team(std::uint64_t /*league_rank*/) {}
  /// `definitions`: what the event's operand may refer to.
  virtual void on_event(std::uint32_t /*lane*/, Event const&, EventDecoder const& /*definitions*/) {}
  virtual void on_team_end(std::uint64_t /*league_rank*/) {}
  virtual void on_finding(FindingRecord const&) {}
  virtual void on_finding_id(FindingIdRecord const&) {}
};

/// `events`: false passes over all lanes. Returns an empty text, or one sentence that says what is wrong with the trace
/// and what could be read. Throws TraceError if nothing could.
std::string walk(std::string const& file, TraceFilter const& filter, TraceVisitor& visitor, bool events = true);

}  // namespace teamsan::traces
