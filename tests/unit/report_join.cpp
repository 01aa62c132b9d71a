// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The JSON report read back is the report; reports of several runs become one.
#include "../../sim/findings/Sentences.hpp"
#include "../../sim/report/HtmlReport.hpp"
#include "../../sim/report/Join.hpp"
#include "../../sim/report/JsonReader.hpp"
#include "../../sim/report/JsonReport.hpp"
#include "../../sim/report/SarifReport.hpp"
#include "../../sim/report/TextReport.hpp"

#include <boost/test/unit_test.hpp>

using namespace teamsan;

namespace {

ReportedSide side_at(unsigned line, AccessKind access) {
  ReportedSide reported;
  reported.side.access = access;
  reported.side.bytes = 8;
  reported.side.has_lane = true;
  reported.side.league = 3;
  reported.side.thread = 12;
  reported.side.vector_lane = 1;
  reported.side.warp = 2;
  reported.side.has_interval = true;
  reported.side.interval = 4;
  reported.side.site = Site{1};
  reported.trail.place = {"src/solve.cpp", line, 5, "solve", "/home/src/solve.cpp", false};
  reported.trail.callers = {{"src/main.cpp", 7, 0, "main", "/home/src/main.cpp", false}};
  reported.source = "tile(i) = 1;";
  return reported;
}

ReportedFinding race(unsigned line) {
  ReportedFinding found;
  found.finding.rule = Rule::scratch_race;
  found.finding.title = "write/read race on team scratch";
  found.finding.kernel = "solve";
  found.finding.policy = "TeamPolicy(league=128, team=32, vector=4)";
  found.finding.launch = 7;
  found.finding.league_size = 128;
  found.finding.region = "step > solve";
  found.finding.data = {Data::Kind::scratch, "tile", 1,     static_cast<std::uint64_t>(-8), 512, 8, Site{}, {},
                        "double[64]",        0,      "(17)"};
  found.finding.why = {because(Reason::interval_of_start), because(Reason::teams_unordered)};
  found.why = {"they are in one interval", "nothing orders them"};
  found.finding.fix = remedy(Cure::barrier);
  found.fix = "put a barrier between";
  found.finding.count = 10;
  found.finding.teams = 5;
  found.obtained = {"src/solve.cpp", 3, 1, "solve", "/home/src/solve.cpp", false};
  found.kernel_launch = 2;
  found.sides = {side_at(line, AccessKind::write), side_at(line + 1, AccessKind::atomic_read)};
  found.id = "TS-00000" + std::to_string(line % 10);
  return found;
}

ReportedTraffic traffic() {
  ReportedTraffic kernel;
  kernel.kernel = "solve";
  kernel.policy = "TeamPolicy(league=128, team=32, vector=4)";
  kernel.launches = 1;
  kernel.teams = kernel.teams_of_all = 128;
  kernel.shared_loads = {10, 320, 320, 10, 0, 0};
  ReportedSite site;
  site.place = {"src/solve.cpp", 10, 5, "solve", "/home/src/solve.cpp", false};
  site.source = "x = tile(32 * i);";
  site.fix = "pad the row";
  site.site.operation = model::Operation::load;
  site.site.bytes_per_lane = 4;
  site.site.banked = true;
  site.site.data = {Data::Kind::scratch, "tile", 0, 0, 4096, 4, Site{}, {}, "float[32][32]", 0, ""};
  site.site.counts = kernel.shared_loads;
  site.site.worst.cost = 32;
  site.site.worst.ideal = 1;
  site.site.worst.active = ~std::uint64_t{0} >> 32;
  for (int lane = 0; lane != 32; ++lane) site.site.worst.offsets[static_cast<std::size_t>(lane)] = 128 * lane;
  kernel.sites.push_back(site);
  return kernel;
}

Report report_of(std::vector<ReportedFinding> findings) {
  Report report;
  report.program.arguments = {"/somewhere/app", "in put.yaml"};
  report.program.flags = {"--seed", "3"};
  report.program.device = "H100";
  report.program.device_name = "h100";
  report.program.kernels = 1;
  report.program.kernel_names = {"solve"};
  report.program.launches = report.program.launches_checked = 3;
  report.program.notes = {"a note"};
  report.findings = std::move(findings);
  report.kernels = {traffic()};
  report.migrations = {65536, true, {{"x", 1, 1 << 20, 16, 4, 3, 2, 1}}};
  return report;
}

Report shard(char const* of, std::vector<ReportedFinding> findings) {
  Report report = report_of(std::move(findings));
  report.program.shard = of;
  return report;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_was_written_is_read_back) {
  ReportedFinding crash;
  crash.finding.rule = Rule::crash;
  crash.finding.title = "the program crashed";
  crash.finding.message = "line one\nline two \xc3\xa4";
  crash.id = "TS-000009";
  ReportedFinding by_host = race(30);
  by_host.finding.severity = Severity::warning;
  by_host.finding.sync_alone = true;
  by_host.sides[1] = {};
  by_host.sides[1].side.actor = "asynchronous copy";
  by_host.sides[0].side.role = "waits at team_barrier()";
  Report report = report_of({race(10), crash, by_host});
  report.program.crashed = true;
  report.program.baseline = "known.json";
  report.program.test = "halo";
  report.program.rank = "3";
  report.program.directory = "/build/";
  report.known = {race(50), race(60)};
  report.known[0].left_out = {LeftOut::By::baseline, "known.json"};
  report.known[1].left_out = {LeftOut::By::source, "src/solve.cpp:60"};
  Report const joined = join_reports({report, report});
  BOOST_TEST(json_report(read_json_report(json_report(joined), "test")) == json_report(joined));
  Report const back = read_json_report(json_report(report), "test");
  BOOST_TEST(json_report(back) == json_report(report));
  BOOST_TEST(text_report(back) == text_report(report));
  BOOST_TEST(sarif_report(back) == sarif_report(report));
  BOOST_TEST(html_report(back) == html_report(report));
}

BOOST_AUTO_TEST_CASE(a_joined_report_knows_its_runs) {
  auto const run = [](char const* test, char const* rank, std::vector<ReportedFinding> findings) {
    Report report = report_of(std::move(findings));
    report.program.test = test;
    report.program.rank = rank;
    report.program.directory = "/build/" + std::string(test) + "/";
    return report;
  };
  Report const ranks = join_reports({run("halo", "0", {race(10)}), run("halo", "1", {race(10), race(20)})});
  Report const all = join_reports({run("solve", "", {race(20)}), ranks});
  BOOST_REQUIRE(all.program.runs.size() == 3);
  BOOST_TEST(all.program.runs[2].rank == "1");
  BOOST_TEST(all.program.runs[0].test == "solve");
  BOOST_REQUIRE(all.findings.size() == 2);
  BOOST_TEST((all.findings[0].runs == std::vector<std::uint32_t>{0, 2}));  // race(20)
  BOOST_TEST((all.findings[1].runs == std::vector<std::uint32_t>{1, 2}));  // race(10)
  // Shards are parts of one run.
  Report const whole = join_reports({shard("1/2", {race(10)}), shard("2/2", {race(10)})});
  BOOST_TEST(whole.program.runs.empty());
  BOOST_TEST(whole.findings[0].runs.empty());
}

BOOST_AUTO_TEST_CASE(what_every_run_leaves_out_stays_known) {
  auto const run = [](std::vector<ReportedFinding> findings, std::vector<ReportedFinding> known) {
    Report report = report_of(std::move(findings));
    report.known = std::move(known);
    for (ReportedFinding& found : report.known) found.left_out = {LeftOut::By::baseline, "known.json"};
    report.program.suppressed = report.known.size();
    return report;
  };
  Report const both = join_reports({run({}, {race(10), race(20)}), run({race(20)}, {race(10)})});
  BOOST_REQUIRE(both.known.size() == 1);
  BOOST_TEST(both.known[0].finding.count == 20);
  BOOST_TEST(both.program.suppressed == 1);
  BOOST_REQUIRE(both.findings.size() == 1);  // one run tells what the other one knew
  BOOST_TEST(both.findings[0].finding.count == 20);
  // An older report says how many it left out, not which.
  Report older = run({}, {});
  older.program.suppressed = 4;
  BOOST_TEST(join_reports({older, run({}, {race(10)})}).program.suppressed == 5);
}

BOOST_AUTO_TEST_CASE(what_is_no_report_is_said_in_a_sentence) {
  auto const sentence = [](std::string const& text) {
    try {
      read_json_report(text, "r.json");
    } catch (ReportReadError const& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  std::string const whole = json_report(report_of({race(10)}));
  BOOST_TEST(sentence(whole) == "");
  BOOST_TEST(sentence(whole.substr(0, whole.size() / 2)).starts_with("\"r.json\" is no JSON"));
  BOOST_TEST(sentence("[1]").starts_with("\"r.json\" is no report of TeamSan"));
  std::string newer = whole;
  newer.replace(newer.find("\"version\": 1"), 12, "\"version\": 2");
  BOOST_TEST(sentence(newer) == "\"r.json\" is a report of version 2, and this teamsan reads version 1");
  std::string odd = whole;
  odd.replace(odd.find("\"scratch-race\""), 14, "\"scratch-dance\"");
  BOOST_TEST(sentence(odd).starts_with("\"r.json\" is no whole report of TeamSan: "));
  // Numbers that are none of the field's, or would draw pictures without an end.
  for (auto const& [field, value] : {std::pair{"\"launches\": 3", "\"launches\": -3"},
                                     {"\"launches\": 3", "\"launches\": 1e300"},
                                     {"\"launches\": 3", "\"launches\": \"3\""},
                                     {"\"bytes_per_lane\": 4", "\"bytes_per_lane\": -1"},
                                     {"\"bytes_per_lane\": 4", "\"bytes_per_lane\": 4294967295"},
                                     {"\"warp_width\": 32", "\"warp_width\": 0"},
                                     {"\"version\": 1", "\"version\": []"}}) {
    std::string wrong = whole;
    std::size_t const at = wrong.find(field);
    BOOST_REQUIRE_MESSAGE(at != std::string::npos, "the report lacks " << field);
    wrong.replace(at, std::string_view(field).size(), value);
    BOOST_TEST(sentence(wrong).starts_with("\"r.json\" is "), value);
  }
}

BOOST_AUTO_TEST_CASE(equal_findings_of_several_runs_become_one) {
  Report const sum = join_reports({report_of({race(10)}), report_of({}), report_of({race(20), race(10)})});
  BOOST_REQUIRE(sum.findings.size() == 2u);
  BOOST_TEST(sum.findings[0].finding.count == 20u);
  BOOST_TEST(sum.findings[0].finding.teams == 10u);
  BOOST_TEST(sum.findings[0].launches == 2u);
  BOOST_TEST(sum.findings[0].reports == 2u);
  BOOST_TEST(sum.findings[1].reports == 1u);
  BOOST_TEST(sum.findings[1].of_reports == 3u);
  BOOST_TEST(sum.findings[0].id != sum.findings[1].id);  // both were TS-000000
  BOOST_TEST(sum.program.launches == 9u);
  BOOST_TEST(sum.program.notes.size() == 1u);
  BOOST_TEST(sum.kernels.size() == 1u);
  BOOST_TEST(sum.kernels[0].shared_loads.requests == 30u);
  BOOST_TEST(sum.kernels[0].sites.size() == 1u);
  BOOST_TEST(sum.kernels[0].sites[0].site.counts.wavefronts == 960u);
  BOOST_TEST(text_report(sum).find("in 2 of 3 reports") != std::string::npos);
  BOOST_TEST(text_report(sum).find("in 3 reports ====") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(shards_made_the_same_launches) {
  std::vector<Report> const reports = {shard("1/3", {race(10)}), shard("3/3", {race(10)})};
  Report const sum = join_reports(reports);
  BOOST_REQUIRE(sum.findings.size() == 1u);
  BOOST_TEST(sum.findings[0].finding.count == 20u);
  BOOST_TEST(sum.findings[0].launches == 1u);
  BOOST_TEST(sum.findings[0].of_reports == 1u);
  BOOST_TEST(sum.program.launches == 3u);
  BOOST_TEST(missing_shards(reports) == std::vector<std::string>{"2/3"}, boost::test_tools::per_element());
  BOOST_TEST(missing_shards({report_of({})}).empty());
}

BOOST_AUTO_TEST_CASE(pages_that_migrate_add_up) {
  Report other = report_of({});
  other.migrations.rows.push_back({"y", 2, 8, 2, 0, 0, 0, 7});
  MigrationCounts const sum = join_reports({report_of({}), other}).migrations;
  BOOST_REQUIRE(sum.rows.size() == 2u);
  BOOST_TEST(sum.rows[0].allocations == 2u);
  BOOST_TEST(sum.rows[0].pages == 32u);
  BOOST_TEST(sum.rows[0].faults_to_device == 8u);
  BOOST_TEST(sum.rows[0].prefetched_to_host == 2u);
  BOOST_TEST(sum.rows[1].prefetched_to_host == 7u);
  BOOST_TEST(join_reports({shard("1/2", {}), shard("2/2", {})}).migrations.rows[0].faults_to_device == 4u);
  other.migrations.page_bytes = 4096;
  Report const mixed = join_reports({report_of({}), other});
  BOOST_TEST(mixed.migrations.rows.size() == 1u);
  BOOST_TEST(mixed.program.notes.back().find("pages of different sizes") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(joining_one_changes_nothing) {
  Report const report = report_of({race(10), race(21)});
  BOOST_TEST(json_report(join_reports({report})) == json_report(report));
}
