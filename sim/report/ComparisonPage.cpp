// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The page of two reports side by side: plain tables, without any script.
#include "../findings/TextLayout.hpp"
#include "HtmlReportPage.hpp"
#include "ReportComparison.hpp"

#include <fmt/format.h>

#include <string_view>

namespace teamsan {
namespace {

std::string page_text(std::string_view text) {
  std::string safe;
  for (char const c : text) switch (c) {
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '&': safe += "&amp;"; break;
      case '"': safe += "&quot;"; break;
      default: safe += c;
    }
  return safe;
}

std::string both_cells(BeforeAfter const& n) {
  return fmt::format("<td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>",
                     with_commas(n.before), with_commas(n.after), n.ratio());
}

std::string table_row(std::string_view name, std::string_view cells_of) {
  return fmt::format("<tr><th scope=\"row\">{}</th>{}</tr>\n", page_text(name), cells_of);
}

constexpr std::string_view table_head =
    "<div class=\"scroll\"><table class=\"traffic\"><thead><tr><th scope=\"col\"></th><th scope=\"col\" class=\"number\">A</th>"
    "<th scope=\"col\" class=\"number\">B</th><th scope=\"col\" class=\"number\">B/A</th></tr></thead><tbody>\n";
constexpr std::string_view table_end = "</tbody></table></div>\n";

std::string findings_list(std::string_view title, std::vector<ReportedFinding> const& findings) {
  std::string text = fmt::format("<h2>{} ({})</h2>\n", title, findings.size());
  if (findings.empty()) return text + "<p>None.</p>\n";
  text += "<ul>\n";
  for (ReportedFinding const& found : findings) {
    Place const place = place_to_review(found);
    std::string const where = place.known() ? fmt::format("{}:{}", place.file, place.line) : "unknown place";
    text += fmt::format("<li><code>{}</code> {} <b>{}</b> {} in kernel {}: {}</li>\n", page_text(found.id),
                        severity_name(found.finding.severity), rule_id(found.finding.rule), page_text(where),
                        page_text(found.finding.kernel), page_text(found.finding.title));
  }
  return text + "</ul>\n";
}

std::string kernel_part(ComparedKernel const& kernel) {
  std::string text = fmt::format("<article class=\"kernel\"><h3>{}</h3>\n{}", page_text(kernel.name), table_head);
  text += table_row("requests", both_cells(kernel.counts.requests));
  text += table_row("wavefronts of scratch", both_cells(kernel.counts.wavefronts));
  text += table_row("sectors of device memory", both_cells(kernel.counts.sectors));
  text += table_row("bytes moved", both_cells(kernel.bytes));
  if (kernel.seconds_before != 0 || kernel.seconds_after != 0)
    text += table_row(
        "modelled time at least, us",
        fmt::format("<td class=\"number\">{:.1f}</td><td class=\"number\">{:.1f}</td><td class=\"number\">{}</td>",
                    kernel.seconds_before * 1e6, kernel.seconds_after * 1e6,
                    kernel.seconds_before == 0 ? "-" : fmt::format("x{:.2f}", kernel.seconds_after / kernel.seconds_before)));
  for (ComparedLine const& line : kernel.lines)
    text += table_row(
        fmt::format("{}  {}  {} ({})", line.where, line.source, line.operation, line.banked ? "wavefronts" : "sectors"),
        both_cells(line.banked ? line.counts.wavefronts : line.counts.sectors));
  text += table_end;
  return text + "</article>\n";
}

}  // namespace

std::string comparison_page(ReportComparison const& c) {
  std::string page =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "<title>TeamSan: two reports</title>\n<style>\n";
  page += html_style;
  page += fmt::format("</style>\n</head>\n<body>\n<header class=\"top\"><h1>TeamSan: two reports</h1></header>\n<main>\n"
                      "<p>A: {} on {}<br>B: {} on {}</p>\n",
                      page_text(c.first), page_text(c.first_device), page_text(c.second), page_text(c.second_device));
  page += findings_list("Findings that are gone", c.gone);
  page += findings_list("New findings", c.fresh);
  std::vector<ReportedFinding> kept;
  for (auto const& [before, after] : c.kept) kept.push_back(after);
  page += findings_list("Findings that are kept", kept);
  page += "<h2>Memory traffic</h2>\n";
  if (c.kernels.empty()) page += "<p>Neither report counts any: run with --check all,perf.</p>\n";
  for (ComparedKernel const& kernel : c.kernels) page += kernel_part(kernel);
  return page + "</main>\n</body>\n</html>\n";
}

}  // namespace teamsan
