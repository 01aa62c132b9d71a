// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The tables of memory traffic in the text report: golden texts on a report built by hand.
#include "../html/SampleReport.hpp"

#include "../../sim/report/Ranking.hpp"
#include "../../sim/report/TextReport.hpp"
#include "../../sim/report/TrafficTable.hpp"

#include <boost/test/unit_test.hpp>

#include <sstream>

using namespace teamsan;
using namespace teamsan::test;

namespace {

model::Device const& h100() { return *model::find_device("h100"); }

std::size_t widest(std::string const& text) {
  std::size_t width = 0;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) width = std::max(width, line.size());
  return width;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_kernel_with_a_bank_conflict) {
  std::string const expected =
      R"(==== teamsan: memory traffic on H100 ============================================= kernel 1 of 3
 Kernel  "transpose"  TeamPolicy(league=64, team=8, vector=32)  1 launch, 64 teams
 Scratch                requests       wavefronts            ideal   per request
         loads             2,048           65,536            2,048          32.0
         stores            2,048            2,048            2,048           1.0
 Global                 requests          sectors            ideal   per request
         loads             2,048            8,192            8,192           4.0
         stores            2,048            8,192            8,192           4.0
 Bytes   device memory: 524,288 moved, 524,288 if coalesced, 524,288 asked for by the lanes
         scratch level 0: 524,288 asked for by the lanes, in wavefronts that could give
         8,650,752
 Roof    memory (3.35 TB/s) bounds it below 10.0 double-precision operations a byte moved,
         5,242,880 in all; above, arithmetic does (33.5 TFLOP/s)
 Worst   src/transpose.cpp:45  load of 4 bytes from scratch level 0
         32-way, 97.0 % of the kernel's wavefronts
)";
  std::string const text = traffic_table(sample_transpose(h100(), 32), sample_report().program, 1, 3);
  BOOST_TEST(text == expected);
}

BOOST_AUTO_TEST_CASE(a_kernel_with_scattered_stores) {
  std::string const expected =
      R"(==== teamsan: memory traffic on H100 ============================================= kernel 3 of 3
 Kernel  "naive"  RangePolicy(0, 65536)  1 launch, 64 teams
 Global                 requests          sectors            ideal   per request
         loads             2,048            8,192            8,192           4.0
         stores            2,048           65,536            8,192          32.0
 Bytes   device memory: 2,359,296 moved, 524,288 if coalesced, 524,288 asked for by the lanes
 Roof    memory (3.35 TB/s) bounds it below 10.0 double-precision operations a byte moved,
         23,592,960 in all; above, arithmetic does (33.5 TFLOP/s)
 Worst   src/transpose.cpp:55  store of 4 bytes to out
         8 times the ideal, 88.9 % of the kernel's sectors
)";
  std::string const text = traffic_table(sample_naive(h100()), sample_report().program, 3, 3);
  BOOST_TEST(text == expected);
}

BOOST_AUTO_TEST_CASE(what_a_fix_is_worth) {
  Gain gain{.banked = true, .saved = 992, .of = 1024, .seconds = 3e-6, .share = 0.48211, .bound = model::CostBound::scratch,
            .priced = true};
  BOOST_TEST(gain_text(gain) == "about 992 of 1,024 wavefronts, 48.2 % of the kernel's modelled cost (3.0 us)");
  gain.at_most = true;
  gain.share = gain.seconds = 0;
  gain.bound = model::CostBound::memory;
  BOOST_TEST(gain_text(gain) == "up to 992 of 1,024 wavefronts, none of the kernel's modelled cost, which memory bounds");
  gain.bound = model::CostBound::launches;
  BOOST_TEST(gain_text(gain).ends_with(", which launches bound"));
  gain.banked = gain.priced = false;
  BOOST_TEST(gain_text(gain) == "up to 992 of 1,024 sectors");
}

BOOST_AUTO_TEST_CASE(the_roof_is_the_memorys) {
  ReportedTraffic const kernel = sample_naive(h100());
  MemoryRoof const roof = memory_roof(kernel, h100());
  BOOST_CHECK_CLOSE(roof.operations_per_byte, 10.0, 1e-9);
  BOOST_CHECK_CLOSE(roof.operations, 23'592'960.0, 1e-9);
  BOOST_CHECK_CLOSE(roof.seconds, 2'359'296 / 3.35e12, 1e-9);
  BOOST_TEST(memory_roof(kernel, *model::find_device("pvc")).operations == 0);
  std::vector<SpaceBytes> const spaces = bytes_by_space(kernel, h100());
  BOOST_REQUIRE(spaces.size() == 1u);
  BOOST_TEST(spaces[0].name == "device memory");
  BOOST_TEST(spaces[0].bytes.moved == 2'359'296u);
}

BOOST_AUTO_TEST_CASE(a_kernel_at_its_ideal_names_no_line) {
  std::string const text = traffic_table(sample_transpose(h100(), 33), sample_report().program, 2, 3);
  BOOST_TEST(text.find("Worst") == std::string::npos);
  BOOST_TEST(text.find("loads             2,048            2,048            2,048           1.0\n") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(only_what_is_known_is_said) {
  ReportedTraffic traffic = sample_naive(h100());
  traffic.teams = 16;
  traffic.launches = 2;
  traffic.sites.resize(1);
  traffic.sites[0].place = {};
  traffic.sites[0].source.clear();
  std::string const text = traffic_table(traffic, {}, 1, 1);
  BOOST_TEST(text.starts_with("==== teamsan: memory traffic ===="));
  BOOST_TEST(text.find("2 launches, 16 of 64 teams counted\n") != std::string::npos);
  BOOST_TEST(text.find(" Bytes ") == std::string::npos);
  BOOST_TEST(text.find(" Worst   unknown place  store of 4 bytes to out") != std::string::npos);
  BOOST_TEST(text.find(" | ") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(numbers_of_a_large_run_stay_within_the_width) {
  ReportedTraffic traffic = sample_transpose(h100(), 32);
  for (TrafficCounts* counts : {&traffic.shared_loads, &traffic.global_loads}) {
    counts->requests = 123'456'789'012;
    counts->wavefronts = counts->sectors = 3'950'617'248'384;
    counts->ideal_wavefronts = counts->ideal_sectors = 123'456'789'012;
  }
  traffic.kernel = std::string(200, 'k');
  BOOST_TEST(widest(traffic_table(traffic, sample_report().program, 100, 1000)) <= 96u);
}

BOOST_AUTO_TEST_CASE(degrees_as_people_say_them) {
  ReportedSite site;
  site.site.banked = true;
  site.site.counts.wavefronts = 320;
  site.site.counts.ideal_wavefronts = 10;
  BOOST_TEST(degree(site) == "32-way");
  site.site.counts.wavefronts = 25;
  BOOST_TEST(degree(site) == "2.5-way");
  site.site.counts = {.wavefronts = 10'001, .ideal_wavefronts = 10'000};
  BOOST_TEST(degree(site) == "1.01-way");
  site.site.counts = {.wavefronts = 10, .ideal_wavefronts = 10};
  BOOST_TEST(degree(site) == "no excess");
  site.site.banked = false;
  site.site.counts = {.sectors = 32, .ideal_sectors = 4};
  BOOST_TEST(degree(site) == "8 times the ideal");
}

BOOST_AUTO_TEST_CASE(tables_follow_the_findings) {
  Report const report = sample_report();
  std::string const text = text_report(report);
  std::size_t const finding = text.find("finding 2 of 2"), first = text.find("kernel 1 of 3"),
                    last = text.find("kernel 3 of 3"), end = text.find("==== teamsan: 1 error, 1 warning");
  BOOST_TEST(finding < first);
  BOOST_TEST(first < last);
  BOOST_TEST(last < end);
  BOOST_TEST(end != std::string::npos);
  std::string const part = text_report(report, {.print_limit = 1});
  BOOST_TEST(part.find("kernel 2 of 3") == std::string::npos);
  BOOST_TEST(part.find("==== teamsan: 2 more kernels not printed: see --print-limit ====\n") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_a_page_says_of_a_kernel_is_parted) {
  // A page puts blanks together: what the table parts by two of them has a mark between.
  ReportedTraffic traffic = sample_transpose(h100(), 32);
  BOOST_TEST(kernel_sentences(traffic).empty());
  traffic.own.scratch_loads.requests = 3;
  traffic.own.scratch_stores.requests = 1;
  traffic.warp_width *= 2;
  std::vector<std::string> const sentences = kernel_sentences(traffic);
  BOOST_TEST(sentences.size() == 2u);
  BOOST_TEST(sentences.at(0) == "Lanes: 32.0 of 64 active in a warp's access");
  BOOST_TEST(sentences.at(1) == "Kokkos: its reductions and scans add 3 loads and 1 store of scratch (not counted here)");
  traffic.global_loads.idle[static_cast<std::size_t>(IdleCause::branch)] = all_counts(traffic).requests * 16;
  BOOST_TEST(kernel_sentences(traffic).at(0) == "Lanes: 32.0 of 64 active in a warp's access; by branches 25.0 %");
}
