// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Writers.hpp"

#include "../base/NearestName.hpp"
#include "../base/Options.hpp"
#include "Baseline.hpp"
#include "CsvReport.hpp"
#include "CtestReport.hpp"
#include "GithubReport.hpp"
#include "GitlabReport.hpp"
#include "HtmlReport.hpp"
#include "JsonReport.hpp"
#include "JunitReport.hpp"
#include "LineReport.hpp"
#include "SarifReport.hpp"
#include "TextReport.hpp"
#include "TsvReport.hpp"

#include <fmt/format.h>

namespace teamsan {
namespace {

constexpr Writer all_writers[] = {
    {"text", "what is printed to standard error", [](Report const& report) { return text_report(report); }},
    {"html", "one self-contained page for a browser: findings, memory traffic, pictures, sources", html_report},
    {"json", "all of it for programs; docs/report-json.md", json_report},
    {"sarif", "SARIF 2.1.0, for code scanning", sarif_report},
    {"junit", "JUnit XML, a test case a kernel", junit_report},
    {"gitlab", "GitLab's code quality", gitlab_report},
    {"github", "annotations of GitHub Actions, one line each", github_report},
    {"ctest", "what ctest -T memcheck reads", ctest_report},
    {"ids", "ids alone, a line each, for --baseline", id_report},
    {"csv", "a line a kernel with what --check perf counts; docs/report-csv.md", csv_report},
    {"lines", "FILE:LINE:COL: error: ..., as compilers say it, for editors; docs/editors.md", line_report},
    {"tsv", "one line a finding, fields separated by tabs", tsv_report},
};

}  // namespace

std::span<Writer const> writers() { return all_writers; }

Writer const* find_writer(std::string_view format) {
  for (Writer const& writer : all_writers)
    if (writer.format == format) return &writer;
  return nullptr;
}

std::vector<ReportTarget> report_targets(std::string_view value) {
  std::vector<ReportTarget> targets;
  while (!value.empty()) {
    std::size_t const end = std::min(value.find('\n'), value.size());
    std::string_view const one = value.substr(0, end);
    value.remove_prefix(std::min(end + 1, value.size()));
    std::size_t const equals = one.find('=');
    if (equals == std::string_view::npos || equals + 1 == one.size())
      throw OptionError(
          fmt::format("report \"{}\" names no file: write it as FORMAT=FILE, as in text=report.txt", one));
    std::string_view const format = one.substr(0, equals);
    Writer const* writer = find_writer(format);
    if (writer == nullptr) {
      std::vector<std::string_view> names;
      for (Writer const& known : all_writers) names.push_back(known.format);
      throw OptionError(fmt::format("unknown report format \"{}\"{}", format, hint_at(format, names)));
    }
    targets.push_back({writer, std::string(one.substr(equals + 1))});
  }
  return targets;
}

}  // namespace teamsan
