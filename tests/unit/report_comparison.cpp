// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Two reports side by side: what is gone, new and kept, and traffic now against then.
#include "../html/SampleReport.hpp"

#include "../../sim/report/ReportComparison.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

using namespace teamsan;
using namespace teamsan::test;

namespace {

/// The tile's rows are padded, the race is mended, and there is a new warning elsewhere.
Report changed_report() {
  Report report = sample_report();
  model::Device const& device = *model::find_device("h100");
  std::string const name = report.kernels[0].kernel;
  report.kernels[0] = sample_transpose(device, 33);
  report.kernels[0].kernel = name;
  report.findings.erase(report.findings.begin());
  report.findings.push_back(sample_warning());
  report.findings.back().id = "TS-111111";
  report.findings.front().finding.count = 7;
  return report;
}

}  // namespace

BOOST_AUTO_TEST_CASE(findings_gone_new_and_kept) {
  ReportComparison const c = compare_reports(sample_report(), "a.json", changed_report(), "b.json");
  BOOST_REQUIRE(c.gone.size() == 1);
  BOOST_TEST(c.gone[0].id == "TS-3f9a1c");
  BOOST_REQUIRE(c.fresh.size() == 1);
  BOOST_TEST(c.fresh[0].id == "TS-111111");
  BOOST_REQUIRE(c.kept.size() == 1);
  BOOST_TEST(c.kept[0].first.finding.count == 12);
  BOOST_TEST(c.kept[0].second.finding.count == 7);
  BOOST_TEST(c.worse() == 1);
  std::string const text = comparison_text(c);
  BOOST_TEST(text.starts_with("==== teamsan: compare: 1 finding gone, 1 new, 1 kept ====\n"));
  BOOST_TEST(text.find(" Gone    TS-3f9a1c") != std::string::npos);
  BOOST_TEST(text.find(" New     TS-111111") != std::string::npos);
  BOOST_TEST(text.find("12 element pairs before, 7 now") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(traffic_of_kernels_and_lines_with_ratios) {
  ReportComparison const c = compare_reports(sample_report(), "a.json", changed_report(), "b.json");
  BOOST_REQUIRE(c.kernels.size() == 3);
  ComparedKernel const& k = c.kernels[0];
  BOOST_TEST(k.counts.wavefronts.before == 65'536 + 2'048);
  BOOST_TEST(k.counts.wavefronts.after == 2 * 2'048);
  BOOST_TEST(k.counts.sectors.same());
  BOOST_REQUIRE(k.lines.size() == 1);
  BOOST_TEST(k.lines[0].counts.wavefronts.ratio() == "x0.03");
  BOOST_TEST(k.lines[0].where == "src/transpose.cpp:45");
  BOOST_TEST(c.kernels[1].lines.empty());
  auto const json = nlohmann::json::parse(comparison_json(c));
  BOOST_TEST(json["kernels"][0]["counts"]["wavefronts"]["a"] == 67'584);
  BOOST_TEST(json["kernels"][0]["lines"][0]["counts"]["wavefronts"]["b"] == 2'048);
  BOOST_TEST(json["new"][0]["id"] == "TS-111111");
}

BOOST_AUTO_TEST_CASE(a_report_beside_itself_differs_in_nothing) {
  ReportComparison const c = compare_reports(sample_report(), "a.json", sample_report(), "a.json");
  BOOST_TEST(c.gone.empty());
  BOOST_TEST(c.fresh.empty());
  BOOST_TEST(c.worse() == 0);
  for (ComparedKernel const& k : c.kernels) {
    BOOST_TEST(k.counts.same());
    BOOST_TEST(k.lines.empty());
  }
}

BOOST_AUTO_TEST_CASE(kernels_that_one_report_lacks_are_named) {
  Report without = sample_report();
  without.kernels.erase(without.kernels.begin());
  ReportComparison const c = compare_reports(without, "a.json", sample_report(), "b.json");
  BOOST_REQUIRE(c.kernels.size() == 3);
  BOOST_TEST(c.kernels.back().name == "transpose");
  BOOST_TEST(!c.kernels.back().before);
  BOOST_TEST(c.kernels.back().counts.requests.ratio() == "new");
}

BOOST_AUTO_TEST_CASE(the_page_is_self_contained_and_escapes_what_programs_name) {
  Report report = sample_report();
  report.kernels[0].kernel = "<script>alert(1)</script>";
  std::string const page = comparison_page(compare_reports(report, "a.json", changed_report(), "b.json"));
  BOOST_TEST(page.find("<script") == std::string::npos);
  BOOST_TEST(page.find("&lt;script&gt;") != std::string::npos);
  BOOST_TEST(page.find("http:") == std::string::npos);
  BOOST_TEST(page.find("https:") == std::string::npos);
  BOOST_TEST(page.find("TS-3f9a1c") != std::string::npos);
}
