// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CtestReport.hpp"

#include "Presentable.hpp"
#include "TextReport.hpp"

#include <fmt/format.h>

#include <cctype>
#include <string_view>

namespace teamsan {
namespace {

constexpr std::string_view margin = "=========";

std::string memory_of(Data const& data) {
  return data.kind == Data::Kind::scratch ? "__shared__" : data.kind == Data::Kind::lane_stack ? "__local__" : "__global__";
}

std::string access_name(ReportedFinding const& found) {
  if (found.sides.empty()) return "access";
  AccessKind const access = found.sides.front().side.access;
  return access == AccessKind::write || access == AccessKind::atomic_write ? "write" : "read";
}

std::string capitalised(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

/// The line by which CTest knows the category: "Race reported", "Uninitialized __shared__ memory read", "Invalid
/// __global__ write", "Barrier error"; what compute-sanitizer has no word for goes by the rule's name.
std::string category_line(ReportedFinding const& found) {
  Finding const& finding = found.finding;
  std::string const level = finding.severity == Severity::error ? "Error" : "Warning";
  std::uint32_t const bytes = found.sides.empty() ? 0 : found.sides.front().side.bytes;
  switch (rule_info(finding.rule).summary) {
    case Summary::race:
      return fmt::format("{}: Race reported: {}", level, finding.title);
    case Summary::uninitialised:
      return fmt::format("Uninitialized {} memory read of size {} bytes", memory_of(finding.data), bytes);
    case Summary::invalid:
      return fmt::format("Invalid {} {} of size {} bytes", memory_of(finding.data), access_name(found), bytes);
    case Summary::barrier:
      return fmt::format("Barrier error detected. {}", capitalised(finding.title));
    case Summary::leaked:
      return fmt::format("Leaked {} bytes at {}", finding.data.bytes, finding.data.label);
    case Summary::by_name:
      break;
  }
  return capitalised(rule_id(finding.rule));
}

void add_margin(std::string& text, std::string_view lines) {
  while (!lines.empty()) {
    std::size_t const end = lines.find('\n');
    text += fmt::format("{}     {}\n", margin, lines.substr(0, end));
    lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
  }
}

}  // namespace

std::string ctest_report(Report const& given) {
  Report const report = presentable(given);
  std::string text = fmt::format("{} TEAMSAN\n", margin);
  for (std::size_t i = 0; i != report.findings.size(); ++i) {
    ReportedFinding const& found = report.findings[i];
    if (found.finding.severity == Severity::info) continue;
    text += fmt::format("{} {}\n", margin, category_line(found));
    add_margin(text, text_finding(found, report.program, i + 1, report.findings.size()));
    text += fmt::format("{}\n", margin);
  }
  if (!report.program.written) text += fmt::format("{} No-report\n", margin);
  for (std::string const& note : report.program.notes) add_margin(text, "note: " + note);
  std::uint64_t const errors = report.count(Severity::error);
  return text + fmt::format("{} ERROR SUMMARY: {} error{}\n", margin, errors, errors == 1 ? "" : "s");
}

}  // namespace teamsan
