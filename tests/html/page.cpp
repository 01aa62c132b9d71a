// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Writes a page for the browser test: page FILE [h100 | mi250x | many | joined]. The sample report as these devices give it;
/// many: with more findings and source lines than a page shows at first; joined: of the reports of several tests, under a
/// baseline.
#include "SampleReport.hpp"

#include "../../sim/report/HtmlReport.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string_view>

using namespace teamsan;

namespace {

Report many() {
  Report report = test::sample_report();
  report.findings.assign(200, report.findings[0]);
  constexpr Rule rules[] = {Rule::scratch_race, Rule::global_race, Rule::uninit_global, Rule::same_value};
  for (std::size_t i = 0; i != report.findings.size(); ++i) {
    ReportedFinding& found = report.findings[i];
    found.finding.rule = rules[i % 4];
    if (found.finding.rule == Rule::same_value) found.finding.severity = Severity::warning;
    found.finding.kernel = "kernel_" + std::to_string(i % 5);
    found.id = fmt::format("TS-{:06x}", i);
    if (i != 0) found.life = {};
    Place& second = found.sides[1].trail.place;
    second.file = second.path = fmt::format("src/file_{}.cpp", i % 6);
    second.line = static_cast<unsigned>(100 + i);
  }
  // The last two are the first one's cause told otherwise.
  for (std::size_t const i : {198, 199}) {
    ReportedFinding& found = report.findings[i];
    found.sides = report.findings[0].sides;
    found.finding.kernel = report.findings[0].finding.kernel;
    found.finding.rule = i == 198 ? Rule::global_race : Rule::same_value;
  }
  auto& sites = report.kernels[0].sites;
  ReportedSite const site = sites[0];
  for (std::uint64_t i = 1; i <= 300; ++i) {
    sites.push_back(site);
    sites.back().site.counts.requests += i;
  }
  return report;
}

Report joined() {
  Report report = test::sample_report();
  ReportedFinding const race = report.findings[0], warning = report.findings[1];
  for (char const* rank : {"0", "1", "2"}) report.program.runs.push_back({"halo_exchange", rank, {"./halo"}});
  report.program.runs.push_back({"solve", "", {"./solve", "in.yaml"}, {}, "teamsan", "/build/solve/"});
  report.program.runs.push_back({"clean", "", {"./clean"}});
  // Warnings first, as they were made; kernels whose numbers have one digit or two.
  report.findings.assign(12, race);
  report.findings[0] = report.findings[1] = warning;
  for (std::size_t i = 0; i != report.findings.size(); ++i) {
    ReportedFinding& found = report.findings[i];
    found.finding.kernel = "kernel_" + std::to_string(i);
    found.id = fmt::format("TS-{:08x}", i);
    found.life = {};
    for (ReportedSide& side : found.sides) side.trail.place.line += static_cast<unsigned>(10 * i);
    found.runs = i < 6 ? std::vector<std::uint32_t>{0, 2} : std::vector<std::uint32_t>{3};
  }
  report.known = {race, warning};
  report.known[0].left_out = {LeftOut::By::baseline, "known.json"};
  report.known[1].left_out = {LeftOut::By::suppression, "app.supp:3"};
  report.program.suppressed = 2;
  return report;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  std::string_view const which = argc > 2 ? argv[2] : "h100";
  Report const report = which == "many"     ? many()
                        : which == "joined" ? joined()
                        : which == "mi250x" ? test::sample_report("mi250x", "MI250X")
                                            : test::sample_report();
  std::ofstream(argv[1]) << html_report(report);
  return 0;
}
