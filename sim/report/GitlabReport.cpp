#include <teamsan/sim/report/GitlabReport.hpp>

#include <teamsan/sim/report/Presentable.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace teamsan {

std::string gitlab_report(Report const& given) {
  Report const report = presentable(given);
  using Json = nlohmann::ordered_json;
  Json issues = Json::array();
  for (ReportedFinding const& found : report.findings) {
    Finding const& finding = found.finding;
    Place const place = place_to_review(found);
    char const* const severity = finding.severity == Severity::error     ? "critical"
                                 : finding.severity == Severity::warning ? "minor"
                                                                         : "info";
    // A path and a line are required: what has no place of its own is shown at the top of nothing.
    issues.push_back({{"description", fmt::format("{} in kernel \"{}\"", finding.title, finding.kernel)},
                      {"check_name", rule_id(finding.rule)},
                      {"fingerprint", found.id},
                      {"severity", severity},
                      {"location", {{"path", place.known() ? place.file : "unknown"},
                                    {"lines", {{"begin", place.known() ? place.line : 1}}}}}});
  }
  return issues.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace teamsan
