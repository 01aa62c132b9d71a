/// Writes a page for the browser test: page FILE [h100 | mi250x | many]. The sample report as these devices give it;
/// many: with more findings and source lines than a page shows at first.
#include "SampleReport.hpp"

#include <teamsan/sim/report/HtmlReport.hpp>

#include <fstream>
#include <string_view>

using namespace teamsan;

namespace {

Report many() {
  Report report = test::sample_report();
  report.findings.assign(120, report.findings[0]);
  auto& sites = report.kernels[0].sites;
  ReportedSite const site = sites[0];
  for (std::uint64_t i = 1; i <= 300; ++i) {
    sites.push_back(site);
    sites.back().site.counts.requests += i;
  }
  return report;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  std::string_view const which = argc > 2 ? argv[2] : "h100";
  Report const report = which == "many"     ? many()
                        : which == "mi250x" ? test::sample_report("mi250x", "MI250X")
                                            : test::sample_report();
  std::ofstream(argv[1]) << html_report(report);
  return 0;
}
