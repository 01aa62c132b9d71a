#include <teamsan/sim/report/GithubReport.hpp>

#include <teamsan/sim/report/Presentable.hpp>
#include <teamsan/sim/report/TextReport.hpp>

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
  Report const report = presentable(given);
  std::string text;
  if (!report.program.written)
    text += "::error title=TeamSan::a program ended before its report was written\n";
  for (ReportedFinding const& found : report.findings) {
    Finding const& finding = found.finding;
    std::string properties = "title=" + escaped(fmt::format("TeamSan {}", rule_id(finding.rule)), true);
    if (!found.sides.empty() && found.sides.front().trail.place.known()) {
      Place const& place = found.sides.front().trail.place;
      properties += fmt::format(",file={},line={}", escaped(place.file, true), place.line);
      if (place.column != 0) properties += fmt::format(",col={}", place.column);
    }
    std::string message = fmt::format("{} in kernel {}", finding.title, finding_words(found).kernel);
    for (std::size_t i = 1; i < found.sides.size(); ++i)
      if (found.sides[i].trail.place.known()) message += fmt::format("\nagainst {}", to_string(found.sides[i].trail.place));
    if (!finding.fix.empty()) message += fmt::format("\nfix: {}", finding.fix);
    text += fmt::format("::{} {}::{}\n", command(finding.severity), properties, escaped(message, false));
  }
  return text;
}

}  // namespace teamsan
