// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The machine-readable reports: what their readers look up, and text that would break them if it were not escaped.
#include "../../sim/findings/Sentences.hpp"
#include "../../sim/report/GithubReport.hpp"
#include "../../sim/report/GitlabReport.hpp"
#include "../../sim/report/JsonReport.hpp"
#include "../../sim/report/JunitReport.hpp"
#include "../../sim/report/SarifReport.hpp"
#include "../../sim/report/SourceRoot.hpp"
#include "../../sim/report/Writers.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include <stdlib.h>

#include <filesystem>
#include <set>
#include <sstream>

using namespace teamsan;
using Json = nlohmann::json;

namespace {

constexpr char const* nasty = "a<b>&\"c\" [d](e) ]]> \x01 100%\n::error::";

ReportedSide side_at(char const* file, unsigned line, AccessKind access) {
  ReportedSide reported;
  reported.side.access = access;
  reported.side.bytes = 8;
  reported.side.has_lane = true;
  reported.side.league = 3;
  reported.side.thread = 12;
  reported.trail.place.file = file;
  reported.trail.place.line = line;
  reported.trail.place.column = 5;
  reported.source = "tile(i) = 1;";
  return reported;
}

/// An error with two sides, a warning of the same kernel with a nasty label, and a crash outside any line.
Report sample() {
  Report report;
  report.program.arguments = {"/somewhere/app", "in put.yaml"};
  report.program.device_name = "h100";
  report.program.kernels = 2;
  report.program.kernel_names = {"clean", "solve"};
  report.program.launches = report.program.launches_checked = 3;
  report.program.notes = {nasty};
  ReportedFinding race;
  race.finding.rule = Rule::scratch_race;
  race.finding.title = "write/read race on team scratch";
  race.finding.kernel = "solve";
  race.fix = "put a barrier between";
  race.finding.count = 7;
  race.sides = {side_at("src/solve.cpp", 10, AccessKind::write), side_at("src/so, lve:2.cpp", 20, AccessKind::read)};
  race.id = "TS-000001";
  ReportedFinding warning = race;
  warning.finding.rule = Rule::same_value;
  warning.finding.severity = Severity::warning;
  warning.finding.data.kind = Data::Kind::view;
  warning.finding.data.label = nasty;
  warning.id = "TS-000002";
  ReportedFinding crash;
  crash.finding.rule = Rule::crash;
  crash.finding.title = "abort";
  crash.finding.message = nasty;
  crash.id = "TS-000003";
  report.findings = {race, warning, crash};
  return report;
}

}  // namespace

BOOST_AUTO_TEST_CASE(json_holds_all_of_a_finding) {
  Json const json = Json::parse(json_report(sample()));
  BOOST_TEST(json["format"] == "teamsan-report");
  BOOST_TEST(json["version"] == 1);
  BOOST_TEST(json["errors"] == 2);
  BOOST_TEST(json["warnings"] == 1);
  BOOST_TEST(json["program"]["notes"][0] == nasty);
  Json const& race = json["findings"][0];
  BOOST_TEST(race["rule"] == "scratch-race");
  BOOST_TEST(race["count"] == 7);
  BOOST_TEST(race["sides"][0]["place"]["file"] == "src/solve.cpp");
  BOOST_TEST(race["sides"][1]["place"]["line"] == 20);
  BOOST_TEST(race["sides"][1]["lane"]["thread"] == 12);
  BOOST_TEST(race["sides"][1]["access"] == "read");
  BOOST_TEST(json["findings"][1]["data"]["label"] == nasty);
  BOOST_TEST(json["findings"][2]["data"].is_null());
}

BOOST_AUTO_TEST_CASE(sarif_links_the_other_access) {
  Json const json = Json::parse(sarif_report(sample()));
  BOOST_TEST(json["version"] == "2.1.0");
  Json const& run = json["runs"][0];
  Json const& driver = run["tool"]["driver"];
  BOOST_TEST(driver["name"] == "TeamSan");
  BOOST_TEST(driver["version"].get<std::string>().starts_with("0."));
  BOOST_TEST(driver["version"] == driver["semanticVersion"]);
  BOOST_TEST(driver["rules"][0]["defaultConfiguration"]["level"] == "error");
  Json const& result = run["results"][0];
  BOOST_TEST(result["level"] == "error");
  BOOST_TEST(run["tool"]["driver"]["rules"][result["ruleIndex"].get<std::size_t>()]["id"] == "scratch-race");
  Json const& region = result["locations"][0]["physicalLocation"]["region"];
  BOOST_TEST(region["startLine"] == 10);
  BOOST_TEST(region["startColumn"] == 5);
  BOOST_TEST(region["endLine"] == 10);
  BOOST_TEST(region["endColumn"] == 13);
  BOOST_TEST(result["relatedLocations"][0]["id"] == 1);
  BOOST_TEST(result["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "src/so%2C%20lve%3A2.cpp");
  BOOST_TEST(result["message"]["text"].get<std::string>().find("[READ](1)") != std::string::npos);
  BOOST_TEST(result["partialFingerprints"]["teamsanId/v1"] == "TS-000001");
  BOOST_TEST(result["partialFingerprints"].size() == 1);  // GitHub's own it computes from the source
  BOOST_TEST(run["results"][1]["level"] == "warning");
  BOOST_TEST(run["results"][1]["message"]["text"].get<std::string>().find("\\[d\\](e)") != std::string::npos);
  // Without a source line: the program's own file.
  BOOST_TEST(run["results"][2]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "file:///somewhere/app");
}

BOOST_AUTO_TEST_CASE(sarif_says_what_is_known_and_what_is_suppressed) {
  Report report = sample();
  BOOST_TEST(!Json::parse(sarif_report(report))["runs"][0]["results"][0].contains("baselineState"));
  report.program.baseline = "known.json";
  report.known = {report.findings[0], report.findings[0], report.findings[0]};
  report.known[0].left_out = {LeftOut::By::baseline, "known.json"};
  report.known[1].left_out = {LeftOut::By::suppression, "app.supp:3"};
  report.known[2].left_out = {LeftOut::By::source, "src/solve.cpp:9"};
  Json const results = Json::parse(sarif_report(report))["runs"][0]["results"];
  BOOST_REQUIRE(results.size() == 6);
  BOOST_TEST(results[0]["baselineState"] == "new");
  BOOST_TEST(!results[0].contains("suppressions"));
  BOOST_TEST(results[3]["baselineState"] == "unchanged");
  BOOST_TEST(!results[3].contains("suppressions"));
  BOOST_TEST(results[4]["suppressions"][0]["kind"] == "external");
  BOOST_TEST(results[4]["suppressions"][0]["justification"] == "app.supp:3");
  BOOST_TEST(results[5]["suppressions"][0]["kind"] == "inSource");
}

BOOST_AUTO_TEST_CASE(junit_has_a_case_for_each_kernel) {
  pugi::xml_document document;
  BOOST_REQUIRE(document.load_string(junit_report(sample()).c_str()));
  pugi::xml_node const suite = document.child("testsuites").child("testsuite");
  BOOST_TEST(suite.attribute("name").value() == "app");
  BOOST_TEST(suite.attribute("tests").as_int() == 3);
  BOOST_TEST(suite.attribute("failures").as_int() == 2);
  std::set<std::string> failed, passed;
  for (pugi::xml_node const test : suite.children("testcase"))
    (test.child("failure") ? failed : passed).insert(test.attribute("name").value());
  BOOST_TEST((failed == std::set<std::string>{"solve", "(outside any kernel)"}));
  BOOST_TEST((passed == std::set<std::string>{"clean"}));
  pugi::xml_node const solve = suite.find_child_by_attribute("testcase", "name", "solve");
  BOOST_TEST(solve.child("failure").attribute("message").value() == "scratch-race: write/read race on team scratch");
  BOOST_TEST(std::string(solve.child("system-out").text().get()).find("same-value") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(gitlab_has_what_it_requires) {
  Json const json = Json::parse(gitlab_report(sample()));
  BOOST_TEST(json.size() == 3);
  std::set<std::string> fingerprints;
  for (Json const& issue : json) {
    fingerprints.insert(issue["fingerprint"].get<std::string>());
    BOOST_TEST(!issue["location"]["path"].get<std::string>().empty());
    BOOST_TEST(issue["location"]["lines"]["begin"].get<int>() >= 1);
  }
  BOOST_TEST(fingerprints.size() == 3);
  BOOST_TEST(json[0]["severity"] == "critical");
  BOOST_TEST(json[1]["severity"] == "minor");
  std::string const race = json[0]["description"];
  BOOST_TEST(race ==
             "write/read race on team scratch in kernel \"solve\": WRITE at src/solve.cpp:10:5 by league 3  thread 12  lane 0"
             "  (warp 0)   8 bytes; READ at src/so, lve:2.cpp:20:5 by league 3  thread 12  lane 0  (warp 0)   8 bytes. "
             "Fix: put a barrier between");
}

BOOST_AUTO_TEST_CASE(github_says_one_line_a_finding) {
  std::string const text = github_report(sample());
  BOOST_TEST(std::count(text.begin(), text.end(), '\n') == 3);
  BOOST_TEST(text.starts_with("::error title=TeamSan scratch-race,file=src/solve.cpp,line=10,col=5::"));
  BOOST_TEST(text.find("\n::warning ") != std::string::npos);
  BOOST_TEST(text.find("src/so, lve:2.cpp:20") != std::string::npos);
}

/// One whose first side is Kokkos' own code, called by a launch of the user's.
Report in_kokkos() {
  Report report = sample();
  report.findings.resize(1);
  ReportedFinding& found = report.findings[0];
  Place& place = found.sides[0].trail.place;
  place.file = place.path = "/usr/include/kokkos/Kokkos_Sort.hpp";
  place.internal = true;
  found.launched = {{"build/../src/main.cpp", 33, 3, "main", "/repo/src/main.cpp", false}};
  found.sides[1].trail.place.path = "/repo/src/solve.cpp";
  found.sides[1].trail.place.file = "../src/solve.cpp";
  report.program.source_root = "/repo/";
  return report;
}

BOOST_AUTO_TEST_CASE(a_finding_in_kokkos_stands_at_the_users_line) {
  Json const sarif = Json::parse(sarif_report(in_kokkos()))["runs"][0];
  BOOST_TEST(sarif["originalUriBaseIds"]["%SRCROOT%"]["uri"] == "file:///repo/");
  Json const& result = sarif["results"][0];
  Json const& physical = result["locations"][0]["physicalLocation"];
  BOOST_TEST(physical["artifactLocation"]["uri"] == "src/main.cpp");
  BOOST_TEST(physical["artifactLocation"]["uriBaseId"] == "%SRCROOT%");
  BOOST_TEST(physical["region"]["startLine"] == 33);
  BOOST_REQUIRE(result["relatedLocations"].size() == 2);
  Json const& inside = result["relatedLocations"][0];
  BOOST_TEST(inside["physicalLocation"]["artifactLocation"]["uri"] == "file:///usr/include/kokkos/Kokkos_Sort.hpp");
  BOOST_TEST(inside["id"] == 0);
  BOOST_TEST(result["message"]["text"].get<std::string>().find("It is the [WRITE](0)") != std::string::npos);
  BOOST_TEST(result["relatedLocations"][1]["physicalLocation"]["artifactLocation"]["uri"] == "src/solve.cpp");
  Json const gitlab = Json::parse(gitlab_report(in_kokkos()))[0];
  BOOST_TEST(gitlab["location"]["path"] == "src/main.cpp");
  BOOST_TEST(gitlab["location"]["lines"]["begin"] == 33);
  std::string const github = github_report(in_kokkos());
  BOOST_TEST(github.starts_with("::error title=TeamSan scratch-race,file=src/main.cpp,line=33,col=3::"));
  BOOST_TEST(github.find("Kokkos_Sort.hpp:10:5") != std::string::npos);
  BOOST_TEST(github.find("src/solve.cpp:20:5") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_source_root_is_the_one_that_is_named) {
  namespace fs = std::filesystem;
  ::unsetenv("CI_PROJECT_DIR");
  ::unsetenv("GITHUB_WORKSPACE");
  std::string const by_default = source_root("");  // of this git tree, if it is one
  if (!by_default.empty()) BOOST_TEST(fs::exists(by_default + ".git"));
  BOOST_TEST(source_root("/chosen/src/..") == "/chosen/");
  ::setenv("GITHUB_WORKSPACE", "/github", 1);
  BOOST_TEST(source_root("") == "/github/");
  ::setenv("CI_PROJECT_DIR", "/gitlab", 1);
  BOOST_TEST(source_root("") == "/gitlab/");
  BOOST_TEST(source_root("/chosen") == "/chosen/");
  ::unsetenv("CI_PROJECT_DIR");
  ::unsetenv("GITHUB_WORKSPACE");
}

BOOST_AUTO_TEST_CASE(no_label_breaks_a_format_or_begins_a_line) {
  for (std::string const label : {"\uffff", "\xff\xfe", "a\n::error::b", "a\r::error::b", "\x1b[2J", "\u202e", "]]>",
                                  "\u2028::error::", " ::warning title=x::y"}) {
    Report report = sample();
    for (ReportedFinding& found : report.findings) {
      Finding& f = found.finding;
      f.kernel = f.title = f.message = found.fix = f.region = f.data.label = f.policy = label;
      f.data.kind = Data::Kind::view;
      found.why = {label};
      f.why = {because(Reason::as_said, label)};
      found.obtained = {label, 3, 1, label, label, false};
      for (ReportedSide& side : found.sides) {
        side.side.role = side.side.actor = side.source = side.trail.function = label;
        side.trail.place = {label, 3, 1, label, "", false};
      }
    }
    report.program.kernel_names = report.program.arguments = report.program.notes = {label};
    for (Writer const& writer : writers()) {
      std::string const text = writer.write(report);
      // What JSON cannot take makes it throw.
      BOOST_CHECK_NO_THROW(Json(text).dump());
      if (writer.format == "html") continue;  // the page is its own
      BOOST_TEST(text.find('\x1b') == std::string::npos, writer.format);
      if (writer.format == "junit") {
        pugi::xml_document document;
        BOOST_TEST(document.load_string(text.c_str()));
        BOOST_TEST(text.find("\uffff") == std::string::npos);
      }
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);) {
        line.erase(0, line.find_first_not_of(" \t\r"));
        bool const own = writer.format == "github" &&
                         (line.starts_with("::error title=TeamSan ") || line.starts_with("::warning title=TeamSan "));
        BOOST_TEST((own || !line.starts_with("::")), writer.format << ": " << line);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(an_empty_report_is_whole_in_every_format) {
  Report const empty;
  BOOST_TEST(Json::parse(json_report(empty))["findings"].empty());
  BOOST_TEST(Json::parse(sarif_report(empty))["runs"][0]["results"].empty());
  BOOST_TEST(Json::parse(gitlab_report(empty)).empty());
  BOOST_TEST(github_report(empty) == "");
  pugi::xml_document document;
  BOOST_TEST(document.load_string(junit_report(empty).c_str()));
  for (Writer const& writer : writers()) BOOST_TEST(!writer.about.empty());
}
