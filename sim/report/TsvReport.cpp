// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TsvReport.hpp"

#include "Presentable.hpp"
#include <fmt/format.h>

#include <iterator>

namespace teamsan {
namespace {

std::string side_field(ReportedFinding const& found, std::size_t index) {
  if (index >= found.sides.size() || !found.sides[index].trail.place.known()) return "-";
  Place const& place = found.sides[index].trail.place;
  return fmt::format("{}:{}", place.file, place.line);
}

std::string field(std::string const& text) { return text.empty() ? "-" : text; }

}  // namespace

std::string tsv_report(Report const& given) {
  Report const report = presentable(given);
  std::string text;
  for (auto const& found : report.findings)
    fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\t{}\t{}\t{}\t{}\n", rule_id(found.finding.rule),
                   severity_name(found.finding.severity), field(side_field(found, 0)),
                   field(side_field(found, 1)), field(found.finding.kernel), found.finding.count, found.id);
  return text;
}

}  // namespace teamsan
