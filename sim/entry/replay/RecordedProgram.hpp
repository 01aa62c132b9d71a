// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The program that a trace was recorded of, as the checks ask for it: its source lines, segments, arguments, call stacks.
#pragma once

#include "../../../traces/Site.hpp"
#include "../../places/Program.hpp"
#include "../../../traces/TraceFile.hpp"
#include "../../../traces/TraceRecords.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace teamsan::trace {

class RecordedProgram : public Program {
 public:
  /// Is the record a fact, true wherever it stands in the trace? Then it is known from here on. Throws traces::TraceError.
  bool learn(traces::TraceRecord const& record);
  void learn(traces::RunRecord const& run);
  /// How the host had come to where it is now, and whether something is missing.
  void ask_for_stack(std::function<std::vector<Site>()> stack) { m_stack = std::move(stack); }
  void ask_for_damage(std::function<bool()> damaged) { m_damaged = std::move(damaged); }

  std::vector<Segment> const& segments() override { return m_segments; }
  std::vector<Frame> const& frames(Site site) override;
  std::string variable(std::uintptr_t address) override;
  std::string field(Site site, std::string const& type, std::uint32_t bytes, std::uint32_t byte) override;
  std::string const& directory() override { return m_directory; }
  std::vector<std::string> arguments() override { return m_arguments; }
  std::string launcher() override;  // that of the recording is not known
  std::vector<std::string> unchecked_libraries() override { return {}; }  // the replaying process has others
  std::vector<std::string> source(std::string const& path) override;
  std::vector<Site> stack() override { return m_stack(); }
  bool is_whole() override { return !m_damaged(); }

 private:
  void learn(traces::SegmentsRecord const& loaded);
  void learn(traces::FramesRecord const& chain);
  void learn(traces::SourceRecord const& source);

  std::vector<Segment> m_segments;
  std::unordered_map<Site, std::vector<Frame>> m_frames;
  std::unordered_map<std::uintptr_t, std::string> m_variables;
  std::map<std::tuple<Site, std::string, std::uint32_t, std::uint32_t>, std::string> m_fields;
  std::unordered_map<std::string, std::vector<std::string>> m_sources;
  std::string m_directory;
  std::vector<std::string> m_arguments;
  std::function<std::vector<Site>()> m_stack;
  std::function<bool()> m_damaged;
};

}  // namespace teamsan::trace
