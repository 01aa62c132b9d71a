// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RecordedProgram.hpp"

#include "../../../traces/RecordVisit.hpp"

#include <algorithm>
#include <cstdlib>

namespace teamsan::trace {

using namespace traces;

bool RecordedProgram::learn(TraceRecord const& record) {
  return visit(record, Overloads{[this](SegmentsRecord const& r) { learn(r); }, [this](FramesRecord const& r) { learn(r); },
                                 [this](SourceRecord const& r) { learn(r); },
                                 [this](VariableRecord const& r) { m_variables[r.address] = r.name; },
                                 [this](FieldRecord const& r) { m_fields[{r.site, r.type, r.bytes, r.byte}] = r.name; }});
}

void RecordedProgram::learn(SegmentsRecord const& loaded) {
  m_segments.clear();
  for (auto const& s : loaded.segments) m_segments.push_back({s.begin, s.end, s.code, s.writable});
}

void RecordedProgram::learn(FramesRecord const& chain) {
  auto const [known, fresh] = m_frames.try_emplace(chain.site);
  if (!fresh) return;
  for (auto const& f : chain.frames) known->second.push_back({f.function, f.file, f.line, f.column, f.internal, f.clang});
}

void RecordedProgram::learn(SourceRecord const& source) {
  auto& lines = m_sources[source.file];
  if (lines.size() < source.first - 1 + source.lines.size()) lines.resize(source.first - 1 + source.lines.size());
  std::copy(source.lines.begin(), source.lines.end(), lines.begin() + (source.first - 1));
}

void RecordedProgram::learn(RunRecord const& run) {
  m_arguments = run.arguments;
  m_directory = run.directory;
  if (!m_directory.empty() && !m_directory.ends_with('/')) m_directory += '/';
}

std::vector<Frame> const& RecordedProgram::frames(Site site) {
  static std::vector<Frame> const& nothing = *new std::vector<Frame>;
  auto const found = m_frames.find(site);
  return found == m_frames.end() ? nothing : found->second;
}

std::string RecordedProgram::launcher() {
  char const* const called = ::secure_getenv("TEAMSAN_LAUNCHER");
  return called != nullptr ? called : "";
}

std::string RecordedProgram::variable(std::uintptr_t address) {
  auto const found = m_variables.find(address);
  return found == m_variables.end() ? std::string() : found->second;
}

std::string RecordedProgram::field(Site site, std::string const& type, std::uint32_t bytes, std::uint32_t byte) {
  auto const found = m_fields.find({site, type, bytes, byte});
  return found == m_fields.end() ? std::string() : found->second;
}

std::vector<std::string> RecordedProgram::source(std::string const& path) {
  auto const found = m_sources.find(path);
  return found == m_sources.end() ? std::vector<std::string>() : found->second;
}

}  // namespace teamsan::trace
