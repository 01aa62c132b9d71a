// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "GithubReport.hpp"

#include "Presentable.hpp"
#include "SourceRoot.hpp"
#include "TextReport.hpp"

#include <fmt/format.h>

namespace teamsan {
namespace {

/// As the runner's own tool kit escapes; `property`: also what ends one.
std::string escaped(std::string_view text, bool property) {
  std::string result;
  for (char const c : text) {
    if (c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ',')))
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      result += c;
  }
  return result;
}

char const* command(Severity severity) {
  switch (severity) {
    case Severity::info:
      return "notice";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "";
}

}  // namespace

std::string github_report(Report const& given) {
  Report const report = presentable(from_source_root(given));
  std::string text;
  if (!report.program.written)
    text += "::error title=TeamSan::a program ended before its report was written\n";
  for (ReportedFinding const& found : report.findings) {
    Finding const& finding = found.finding;
    std::string properties = "title=" + escaped(fmt::format("TeamSan {}", rule_id(finding.rule)), true);
    Place const place = place_to_review(found);
    if (place.known()) {
      properties += fmt::format(",file={},line={}", escaped(place.file, true), place.line);
      if (place.column != 0) properties += fmt::format(",col={}", place.column);
    }
    std::string message = fmt::format("{} in kernel {}", finding.title, finding_words(found).kernel);
    for (std::size_t i = 0; i < found.sides.size(); ++i)
      if (Place const& other = found.sides[i].trail.place; other.known() && other != place)
        message += fmt::format("\nagainst {}", to_string(other));
    if (!found.fix.empty()) message += fmt::format("\nfix: {}", found.fix);
    text += fmt::format("::{} {}::{}\n", command(finding.severity), properties, escaped(message, false));
  }
  return text;
}

}  // namespace teamsan
