// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "GitlabReport.hpp"

#include "Presentable.hpp"
#include "SourceRoot.hpp"
#include "TextReport.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace teamsan {
namespace {

/// A merge request shows this alone: what was found, both sides, the cure.
std::string description(ReportedFinding const& found) {
  Finding const& finding = found.finding;
  FindingWords const words = finding_words(found);
  std::string text = finding.title;
  if (!finding.kernel.empty()) text += fmt::format(" in kernel \"{}\"", finding.kernel);
  char const* between = ": ";
  for (std::size_t i = 0; i < found.sides.size(); ++i, between = "; ")
    text += fmt::format("{}{} at {} by {}", between, words.sides[i].access, to_string(found.sides[i].trail.place),
                        words.sides[i].lane);
  if (!words.data.empty()) text += fmt::format(". Data: {}", words.data);
  if (!finding.message.empty()) text += fmt::format(". {}", finding.message);
  if (!found.fix.empty()) text += fmt::format(". Fix: {}", found.fix);
  return text;
}

}  // namespace

std::string gitlab_report(Report const& given) {
  Report const report = presentable(from_source_root(given));
  using Json = nlohmann::ordered_json;
  Json issues = Json::array();
  for (ReportedFinding const& found : report.findings) {
    Finding const& finding = found.finding;
    Place const place = place_to_review(found);
    char const* const severity = finding.severity == Severity::error     ? "critical"
                                 : finding.severity == Severity::warning ? "minor"
                                                                         : "info";
    // A path and a line are required: what has no place of its own is shown at the top of nothing.
    issues.push_back({{"description", description(found)},
                      {"check_name", rule_id(finding.rule)},
                      {"fingerprint", found.id},
                      {"severity", severity},
                      {"location", {{"path", place.known() ? place.file : "unknown"},
                                    {"lines", {{"begin", place.known() ? place.line : 1}}}}}});
  }
  return issues.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace teamsan
