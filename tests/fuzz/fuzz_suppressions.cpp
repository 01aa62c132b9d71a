// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Files of --suppressions, and the comments that suppress.
#include "Fuzz.hpp"

#include "../../sim/base/Options.hpp"
#include "../../sim/report/Suppressions.hpp"

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t bytes) {
  using namespace teamsan;
  std::string const text(fuzz::text_of(data, bytes));
  ignored_rules(text);
  Report report;
  ReportedFinding& found = report.findings.emplace_back();
  found.id = "TS-123456";
  found.finding.kernel = "solve";
  found.finding.data.label = text.substr(0, 64);
  found.sides.emplace_back().trail.place = {"src/solve.cpp", 12, 3, "assemble", "", false};
  try {
    Suppressions suppressions;
    suppressions.add_lines(text, "lines.supp");
    suppressions.apply(report);
  } catch (OptionError const&) {
  }
  return 0;
}
