// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "JunitReport.hpp"

#include "Presentable.hpp"
#include "TextReport.hpp"

#include <fmt/format.h>
#include <pugixml.hpp>

#include <algorithm>
#include <sstream>

namespace teamsan {
namespace {

void set(pugi::xml_node node, char const* name, std::string const& value) {
  node.append_attribute(name) = value.c_str();
}

}  // namespace

std::string junit_report(Report const& given) {
  Report const report = presentable(given);
  ProgramFacts const& program = report.program;
  std::string const suite_name =
      program.arguments.empty() ? "teamsan" : program.arguments.front().substr(program.arguments.front().rfind('/') + 1);
  std::vector<std::string> kernels = program.kernel_names;
  for (ReportedFinding const& found : report.findings)
    if (std::find(kernels.begin(), kernels.end(), found.finding.kernel) == kernels.end())
      kernels.push_back(found.finding.kernel);

  pugi::xml_document document;
  pugi::xml_node suites = document.append_child("testsuites");
  pugi::xml_node suite = suites.append_child("testsuite");
  set(suite, "name", suite_name);
  std::size_t failures = 0;
  for (std::string const& kernel : kernels) {
    pugi::xml_node test = suite.append_child("testcase");
    set(test, "name", kernel.empty() ? "(outside any kernel)" : kernel);
    set(test, "classname", suite_name);
    set(test, "time", "0");
    std::string errors, rest, first;
    for (std::size_t i = 0; i != report.findings.size(); ++i) {
      ReportedFinding const& found = report.findings[i];
      if (found.finding.kernel != kernel) continue;
      bool const error = found.finding.severity == Severity::error;
      if (error && first.empty()) first = fmt::format("{}: {}", rule_id(found.finding.rule), found.finding.title);
      (error ? errors : rest) += text_finding(found, program, i + 1, report.findings.size()) + '\n';
    }
    set(test, "status", first.empty() ? "run" : "fail");
    if (!first.empty()) {
      ++failures;
      pugi::xml_node failure = test.append_child("failure");
      set(failure, "message", first);
      set(failure, "type", first.substr(0, first.find(':')));
      failure.text() = errors.c_str();
    }
    if (!rest.empty()) test.append_child("system-out").text() = rest.c_str();
  }
  if (program.crashed && failures == 0) {
    ++failures;
    pugi::xml_node test = suite.append_child("testcase");
    set(test, "name", "(the program's end)");
    set(test, "classname", suite_name);
    set(test, "time", "0");
    set(test, "status", "fail");
    set(test.append_child("failure"), "message", "the program did not reach its end");
  }
  std::size_t const tests = static_cast<std::size_t>(std::distance(suite.begin(), suite.end()));
  for (pugi::xml_node node : {suites, suite}) {
    set(node, "tests", std::to_string(tests));
    set(node, "failures", std::to_string(failures));
    set(node, "errors", "0");
  }
  set(suite, "time", "0");
  set(suite, "skipped", "0");
  set(suite, "disabled", "0");
  std::ostringstream text;
  document.save(text, "  ");
  return text.str();
}

}  // namespace teamsan
