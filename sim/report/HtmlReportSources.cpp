// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HtmlReportSources.hpp"

#include "../findings/TextLayout.hpp"
#include "../places/SourceFile.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace teamsan {
namespace {

struct MarkedFile {
  std::string path;
  std::map<unsigned, SourceMark> marks;
};
using MarkedFiles = std::map<std::string, MarkedFile>;

SourceMark* mark_at(MarkedFiles& files, Place const& place, std::string const& quoted) {
  if (!place.known() || place.file.empty()) return nullptr;
  MarkedFile& file = files[place.file];
  if (file.path.empty()) file.path = place.path;
  SourceMark& mark = file.marks[place.line];
  if (mark.quoted.empty()) mark.quoted = quoted;
  return &mark;
}

MarkedFiles marked_files(Report const& report) {
  MarkedFiles files;
  for (std::size_t i = 0; i < report.findings.size(); ++i)
    for (ReportedSide const& side : report.findings[i].sides)
      if (SourceMark* mark = mark_at(files, side.trail.place, side.source))
        if (mark->findings.empty() || mark->findings.back() != i) mark->findings.push_back(i);
  for (ReportedTraffic const& kernel : report.kernels)
    for (ReportedSite const& site : kernel.sites)
      if (SourceMark* mark = mark_at(files, site.place, site.source))
        (site.site.banked ? mark->excess_wavefronts : mark->excess_sectors) += site.excess();
  return files;
}

std::vector<SourceRun> surroundings(std::vector<std::string> const& lines,
                                    std::map<unsigned, SourceMark> const& marks, unsigned around) {
  std::vector<SourceRun> runs;
  unsigned next = 1;  // the first line that is not in a run yet
  for (auto const& [number, mark] : marks) {
    unsigned const first = std::max(next, number > around ? number - around : 1);
    unsigned const last = std::min<unsigned>(number + around, static_cast<unsigned>(lines.size()));
    if (first > last) continue;
    if (runs.empty() || first != next) runs.push_back({first, {}});
    for (unsigned line = first; line <= last; ++line) runs.back().lines.push_back(lines[line - 1]);
    next = last + 1;
  }
  return runs;
}

std::vector<SourceRun> quoted_lines(std::map<unsigned, SourceMark> const& marks) {
  std::vector<SourceRun> runs;
  for (auto const& [number, mark] : marks) {
    if (runs.empty() || runs.back().first + runs.back().lines.size() != number) runs.push_back({number, {}});
    runs.back().lines.push_back(mark.quoted);
  }
  return runs;
}

std::size_t size_of(std::vector<std::string> const& lines) {
  std::size_t bytes = 0;
  for (auto const& line : lines) bytes += line.size() + 1;
  return bytes;
}

}  // namespace

std::vector<SourceText> embedded_sources(Report const& report, SourceLimits const& limits) {
  std::vector<SourceText> texts;
  std::size_t bytes = 0;
  for (auto& [name, file] : marked_files(report)) {
    SourceText text{name, std::move(file.marks), {}, {}};
    std::vector<std::string> const lines = source_lines(file.path);
    bool const long_file = lines.size() > limits.lines_of_file;
    if (lines.empty()) {
      text.runs = quoted_lines(text.marks);
      text.note = may_read_sources()
                      ? "The file could not be read when the report was written: only the lines that the report quotes are "
                        "here."
                      : "Only the lines that the report quotes are here: teamsan merge --sources DIR brings in the files.";
    } else if (long_file || bytes + size_of(lines) > limits.bytes_of_all) {
      text.runs = surroundings(lines, text.marks, limits.surroundings);
      text.note = fmt::format("{}: only the surroundings of the marked lines are here.",
                              long_file ? fmt::format("The file has {}", counted(lines.size(), "line"))
                                        : std::string("The sources together are too large for one report"));
    } else {
      text.runs = {{1, lines}};
    }
    for (SourceRun const& run : text.runs) bytes += size_of(run.lines);
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace teamsan
