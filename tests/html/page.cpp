/// Writes the page of the sample report for the browser test: page FILE [DEVICE].
#include "SampleReport.hpp"

#include <teamsan/sim/report/HtmlReport.hpp>

#include <fstream>

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  char const* device = argc > 2 ? argv[2] : "h100";
  std::ofstream(argv[1]) << teamsan::html_report(teamsan::test::sample_report(device, argc > 2 ? device : "H100"));
  return 0;
}
