#include <teamsan/sim/replay/RecordedProgram.hpp>

#include <algorithm>

namespace teamsan::trace {

using namespace traces;

bool RecordedProgram::learn(TraceRecord const& record) {
  switch (static_cast<RecordTag>(record.tag)) {
    case RecordTag::segments: {
      m_segments.clear();
      for (auto const& s : decode<SegmentsRecord>(record.bytes).segments)
        m_segments.push_back({s.begin, s.end, s.code, s.writable});
      return true;
    }
    case RecordTag::frames: {
      auto const chain = decode<FramesRecord>(record.bytes);
      auto const [known, fresh] = m_frames.try_emplace(chain.pc);
      if (fresh)
        for (auto const& f : chain.frames)
          known->second.push_back({f.function, f.file, f.line, f.column, f.internal, f.clang});
      return true;
    }
    case RecordTag::source: {
      auto const source = decode<SourceRecord>(record.bytes);
      auto& lines = m_sources[source.file];
      if (lines.size() < source.first - 1 + source.lines.size()) lines.resize(source.first - 1 + source.lines.size());
      std::copy(source.lines.begin(), source.lines.end(), lines.begin() + (source.first - 1));
      return true;
    }
    case RecordTag::variable: {
      auto const variable = decode<VariableRecord>(record.bytes);
      m_variables[variable.address] = variable.name;
      return true;
    }
    default:
      return false;
  }
}

void RecordedProgram::learn(RunRecord const& run) {
  m_arguments = run.arguments;
  m_directory = run.directory;
  if (!m_directory.empty() && !m_directory.ends_with('/')) m_directory += '/';
}

std::vector<Frame> const& RecordedProgram::frames(std::uintptr_t pc) {
  static std::vector<Frame> const& nothing = *new std::vector<Frame>;
  auto const found = m_frames.find(pc);
  return found == m_frames.end() ? nothing : found->second;
}

std::string RecordedProgram::variable(std::uintptr_t address) {
  auto const found = m_variables.find(address);
  return found == m_variables.end() ? std::string() : found->second;
}

std::vector<std::string> RecordedProgram::source(std::string const& path) {
  auto const found = m_sources.find(path);
  return found == m_sources.end() ? std::vector<std::string>() : found->second;
}

}  // namespace teamsan::trace
