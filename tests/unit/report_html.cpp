// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The HTML report's data and pictures: what the page is given to draw. tests/html looks at it in a browser.
#include "../html/SampleReport.hpp"
#include "model_access.hpp"

#include "../../sim/report/HtmlReport.hpp"
#include "../../sim/report/HtmlReportGrid.hpp"
#include "../../sim/report/HtmlReportSources.hpp"
#include "../../sim/report/Writers.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <random>

using namespace teamsan;
using namespace teamsan::test;

namespace {

model::Device const& h100() { return *model::find_device("h100"); }

std::size_t of_kind(AccessGrid const& grid, CellKind kind) {
  return static_cast<std::size_t>(std::count_if(grid.cells.begin(), grid.cells.end(),
                                                [kind](auto const& cell) { return cell.kind == kind; }));
}

ReportedSite const& site_at(ReportedTraffic const& traffic, unsigned line, bool banked) {
  for (ReportedSite const& site : traffic.sites)
    if (site.place.line == line && site.site.banked == banked) return site;
  throw std::logic_error("no such site");
}

/// What the picture says an access takes: over its groups, the fullest bank.
std::uint32_t wavefronts_of(AccessGrid const& grid, model::Operation operation) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::map<std::int64_t, std::uint32_t>> wanted;
  for (GridCell const& cell : grid.cells) ++wanted[{grid.turn_of[cell.lane], cell.column}][cell.value];
  std::map<std::uint32_t, std::uint32_t> fullest;
  for (auto const& [where, words] : wanted) {
    std::uint32_t load = static_cast<std::uint32_t>(words.size());
    if (operation == model::Operation::atomic) {
      load = 0;
      for (auto const& [word, lanes] : words) load += lanes;
    }
    fullest[where.first] = std::max(fullest[where.first], load);
  }
  std::uint32_t sum = 0;
  for (auto const& [turn, load] : fullest) sum += load;
  return sum;
}

bool contains(std::string const& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_CASE(a_column_of_a_tile_lies_in_one_bank) {
  auto const grid = bank_grid(site_at(sample_transpose(h100(), 32), line_of_load, true).site, h100());
  BOOST_TEST(grid.columns.size() == 32u);
  BOOST_TEST(grid.cells.size() == 32u);
  BOOST_TEST(of_kind(grid, CellKind::conflict) == 32u);
  BOOST_TEST(grid.columns[0].used == 32u);
  BOOST_TEST(grid.columns[1].used == 0u);
  BOOST_TEST(grid.cells[5].lane == 5u);
  BOOST_TEST(grid.cells[5].column == 0u);
  BOOST_TEST(grid.cells[5].value == 160);
}

BOOST_AUTO_TEST_CASE(a_padded_column_lies_in_all_banks) {
  auto const grid = bank_grid(site_at(sample_transpose(h100(), 33), line_of_load, true).site, h100());
  BOOST_TEST(of_kind(grid, CellKind::free) == 32u);
  for (auto const& column : grid.columns) BOOST_TEST(column.used == 1u);
  BOOST_TEST(grid.cells[5].column == 5u);
  BOOST_TEST(grid.cells[5].value == 165);
}

BOOST_AUTO_TEST_CASE(a_broadcast_is_shared_and_atomics_on_one_word_wait) {
  AccessSite site =
      sample_site(h100(), sample_tile(32), model::Operation::load, true, line_of_load, 1, [](std::int64_t) {
        return 8;
      }).site;
  BOOST_TEST(of_kind(bank_grid(site, h100()), CellKind::shared) == 32u);
  site.operation = model::Operation::atomic;
  auto const grid = bank_grid(site, h100());
  BOOST_TEST(of_kind(grid, CellKind::conflict) == 32u);
  BOOST_TEST(grid.columns[2].used == 32u);
}

BOOST_AUTO_TEST_CASE(where_the_data_starts_moves_banks_and_sectors) {
  AccessSite site = sample_site(h100(), sample_tile(32), model::Operation::load, true, line_of_load, 1,
                                [](std::int64_t lane) { return 4 * lane - 8; })
                        .site;
  site.worst.misalignment = 12;
  auto const banks = bank_grid(site, h100());
  BOOST_TEST(banks.cells[0].column == 1u);  // byte 4 of the pretended base
  BOOST_TEST(banks.cells[0].value == -2);   // two words before the data
  auto const sectors = sector_grid(site, h100());
  BOOST_TEST(sectors.columns.size() == 5u);  // 128 bytes from byte 4 on
  BOOST_TEST(sectors.columns.front().used == 28u);
  BOOST_TEST(sectors.columns.back().used == 4u);
}

BOOST_AUTO_TEST_CASE(pictures_of_banks_say_what_the_model_counts) {
  std::mt19937 engine(4);
  for (auto const& device : model::devices())
    for (auto operation : {model::Operation::load, model::Operation::store, model::Operation::atomic})
      for (std::uint32_t bytes : {1u, 2u, 4u, 8u, 16u})
        for (std::uint64_t span : {256u, 1024u, 65536u}) {
          Lanes const lanes = random_lanes(engine, bytes, span);
          AccessSite site;
          site.operation = operation;
          site.bytes_per_lane = bytes;
          site.banked = true;
          site.worst.active = lanes.active;
          for (std::size_t lane = 0; lane < 64; ++lane)
            site.worst.offsets[lane] = static_cast<std::int64_t>(lanes.addresses[lane]);
          auto const counts = model::count_shared(device, lanes.access(operation, bytes));
          auto const banks = bank_grid(site, device);
          // An atomic that NVIDIA's compiler writes as a loop costs more than one look at the banks.
          if (operation == model::Operation::atomic && bytes > 4 && device.vendor == model::Vendor::nvidia)
            continue;
          BOOST_TEST(wavefronts_of(banks, operation) == counts.wavefronts);
          BOOST_TEST((of_kind(banks, CellKind::conflict) != 0) == (counts.bank_conflicts != 0));
          if (operation != model::Operation::atomic)
            BOOST_TEST(sector_grid(site, device).columns.size() ==
                       model::count_global(device, lanes.access(operation, bytes)).sectors);
        }
}

BOOST_AUTO_TEST_CASE(scattered_stores_waste_sectors) {
  auto const scattered = sector_grid(site_at(sample_naive(h100()), line_of_naive, false).site, h100());
  BOOST_TEST(scattered.columns.size() == 32u);
  BOOST_TEST(of_kind(scattered, CellKind::conflict) == 32u);
  BOOST_TEST(scattered.columns[1].name == 32);
  auto const together = sector_grid(site_at(sample_transpose(h100(), 32), line_of_load, false).site, h100());
  BOOST_TEST(together.columns.size() == 4u);
  BOOST_TEST(of_kind(together, CellKind::free) == 32u);
}

// A damaged report may say so.
BOOST_AUTO_TEST_CASE(accesses_of_no_bytes_use_none_of_their_sectors) {
  auto site = site_at(sample_naive(h100()), line_of_naive, false).site;
  site.bytes_per_lane = 0;
  auto const sectors = sector_grid(site, h100());
  BOOST_TEST(sectors.columns.size() == 32u);
  BOOST_TEST(sectors.columns.front().used == 0u);
  site.worst.misalignment = 0;
  site.worst.offsets[0] = -(std::int64_t{1} << 48) - 1;  // the last byte that an address can name
  site.bytes_per_lane = 1;
  BOOST_TEST(sector_grid(site, h100()).columns.back().used == 0u);
}

BOOST_AUTO_TEST_CASE(a_page_needs_nothing_else_and_is_the_same_each_time) {
  std::string const page = html_report(sample_report());
  BOOST_TEST(page == html_report(sample_report()));
  BOOST_TEST(find_writer("html")->write(sample_report()) == page);
  for (char const* outside : {"http:", "https:", "src=", "@import", "url(", "/*teamsan:"})
    BOOST_TEST(!contains(page, outside), outside);
  BOOST_TEST(page.size() < 200'000u);
}

BOOST_AUTO_TEST_CASE(hostile_text_stays_text) {
  Report report = sample_report();
  report.findings[0].finding.kernel = "</script><script>alert(1)</script><!-- & \"quotes\" \\ \xff";
  report.program.arguments = {"./app", "</SCRIPT >"};
  std::string const json = html_report_data(report);
  for (char const c : {'<', '>', '&'}) BOOST_TEST(json.find(c) == std::string::npos);
  BOOST_TEST(contains(json, "\\u003c/script\\u003e\\u003cscript\\u003ealert(1)"));
  BOOST_TEST(contains(json, "\\\\xff"));  // what is not UTF-8, with JSON's own backslash
}

BOOST_AUTO_TEST_CASE(data_of_the_sample) {
  std::string const json = html_report_data(sample_report());
  for (char const* part :
       {R"j("device":"NVIDIA H100 (SXM5, sm_90)")j", R"j("errors":1,"warnings":1)j",
        R"j("summary":"1 error, 1 warning in 5 kernels, 8 launches checked on H100")j",
        R"j("cost":65536,"ideal":2048,"times":32.0,"degree":"32-way")j",
        R"j("bytes":{"moved":524288,"ideal":524288,"asked":524288})j",
        R"j("rerun":"teamsan run --check race,bank,coalesce --kernel-name transpose --launch-count 1 --team 0 )j"
        R"j(-- build/transpose_teamsan 256")j",
        R"j("line":45,"wavefronts":63488,"sectors":0,"findings":[0])j"})
    BOOST_TEST(contains(json, part), part);
}

BOOST_AUTO_TEST_CASE(an_empty_report_has_a_page) {
  std::string const json = html_report_data({});
  BOOST_TEST(contains(json, R"("findings":[],"known":[],"tests":[],"kernels":[],"sites":[],"sources":[])"));
  BOOST_TEST(contains(json, "Nothing was found"));
}

BOOST_AUTO_TEST_CASE(devices_that_were_not_measured_say_so) {
  BOOST_TEST(!contains(html_report_data(sample_report()), "not compared with"));
  BOOST_TEST(contains(html_report_data(sample_report("mi250x", "MI250X")),
                      "taken from documents, not compared with a chip's own counters"));
}

BOOST_AUTO_TEST_CASE(files_are_embedded_whole_cut_or_as_quoted) {
  Report report = sample_report();
  auto const whole = embedded_sources(report);
  BOOST_REQUIRE(whole.size() == 1u);
  BOOST_TEST(whole[0].file == "src/transpose.cpp");
  BOOST_TEST(whole[0].note == "");
  BOOST_REQUIRE(whole[0].runs.size() == 1u);
  BOOST_TEST(whole[0].runs[0].lines.size() > 80u);
  BOOST_TEST(whole[0].marks.at(line_of_load).excess_wavefronts == 63488u);
  BOOST_TEST(whole[0].marks.at(line_of_naive).excess_sectors == 57344u);

  auto const cut = embedded_sources(report, {.lines_of_file = 50, .surroundings = 2});
  BOOST_REQUIRE(cut[0].runs.size() == 2u);  // 38 to 47, 53 to 57
  BOOST_TEST(cut[0].runs[0].first == 38u);
  BOOST_TEST(contains(cut[0].note, "lines: only the surroundings of the marked lines are here."));

  auto const crowded = embedded_sources(report, {.bytes_of_all = 100});
  BOOST_TEST(contains(crowded[0].note, "too large for one report"));

  for (auto& finding : report.findings)
    for (auto& side : finding.sides) side.trail.place.path = "nowhere.cpp";
  for (auto& kernel : report.kernels)
    for (auto& site : kernel.sites) site.place.path = "nowhere.cpp";
  auto const quotes = embedded_sources(report);
  BOOST_TEST(contains(quotes[0].note, "could not be read"));
  BOOST_REQUIRE(quotes[0].runs.size() == 3u);
  BOOST_TEST(quotes[0].runs[0].lines[0] == "          tile(r, c) = in(y + r, x + c);");
}

BOOST_AUTO_TEST_CASE(what_is_left_out_is_said) {
  Report report = sample_report();
  report.findings.assign(2500, sample_race());
  report.kernels[1].sites.assign(3000, report.kernels[1].sites[0]);
  std::string const json = html_report_data(report);
  BOOST_TEST(contains(json, "500 more findings are not on this page"));
  // 4 + 3,000 + 2 sites, of which 2,000 are shown.
  BOOST_TEST(contains(json, "1,006 source lines with counted accesses are not on this page"));
}
