// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LineReport.hpp"

#include "Presentable.hpp"
#include "TextReport.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace teamsan {
namespace {

/// As compilers call it.
char const* word(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::info:
      return "note";
  }
  return "";
}

std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

void add(std::string& lines, Place const& place, std::string_view severity, std::string const& text) {
  std::string where = "teamsan";
  if (place.known())
    where = place.column == 0 ? fmt::format("{}:{}", place.file, place.line)
                              : fmt::format("{}:{}:{}", place.file, place.line, place.column);
  fmt::format_to(std::back_inserter(lines), "{}: {}: {}\n", where, severity, one_line(text));
}

}  // namespace

std::string line_report(Report const& given) {
  Report const report = presentable(given);
  std::string lines;
  if (!report.program.written) add(lines, {}, "error", "a program ended before its report was written");
  for (ReportedFinding const& found : report.findings) {
    Finding const& finding = found.finding;
    Place const place = place_to_review(found);
    std::string const kernel = finding.kernel.empty() ? "" : fmt::format(" in kernel \"{}\"", finding.kernel);
    std::string const message = finding.message.empty() ? "" : ": " + finding.message.substr(0, finding.message.find('\n'));
    add(lines, place, word(finding.severity),
        fmt::format("{}{}{} [{}] {}", finding.title, kernel, message, rule_id(finding.rule), found.id));
    FindingWords const words = finding_words(found);
    for (std::size_t i = 0; i != found.sides.size(); ++i)
      if (Place const& side = found.sides[i].trail.place; side.known() && (i != 0 || side != place))
        add(lines, side, "note", fmt::format("{}: {}", words.sides[i].access, words.sides[i].lane));
    if (!found.fix.empty()) add(lines, place, "note", "fix: " + found.fix);
  }
  return lines;
}

}  // namespace teamsan
