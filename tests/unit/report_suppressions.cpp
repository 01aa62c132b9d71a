// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Suppression files, comments in the source and baselines: what they take out, what they leave, and what they cannot
/// read.
#include "../../sim/base/Options.hpp"
#include "../../sim/report/JsonReader.hpp"
#include "../../sim/report/JsonReport.hpp"
#include "../../sim/report/Suppressions.hpp"
#include "../../sim/report/TextReport.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

using namespace teamsan;

namespace {

std::string const file =
    (std::filesystem::temp_directory_path() / "teamsan_suppressions").string() + std::to_string(::getpid());

std::string written(std::string const& text) {
  std::ofstream(file) << text;
  return file;
}

ReportedFinding finding(Rule rule, std::string id, std::string source = "x(i) = 1;") {
  ReportedFinding found;
  found.finding.rule = rule;
  found.finding.kernel = "solve";
  found.finding.data.kind = Data::Kind::view;
  found.finding.data.label = "residual";
  ReportedSide side;
  side.trail.place.file = "src/solve.cpp";
  side.trail.place.line = 55;
  side.trail.place.function = "lambda in solve";
  side.source = std::move(source);
  found.sides = {side};
  found.id = std::move(id);
  return found;
}

Report report_of(std::vector<ReportedFinding> findings) {
  Report report;
  report.findings = std::move(findings);
  return report;
}

/// How many of a race and an uninitialised read are left.
std::size_t left_by(std::string const& text) {
  Suppressions suppressions;
  suppressions.add_file(written(text));
  Report report = report_of({finding(Rule::global_race, "TS-1"), finding(Rule::uninit_global, "TS-2")});
  suppressions.apply(report);
  BOOST_TEST(report.program.suppressed + report.findings.size() == 2);
  return report.findings.size();
}

std::string mistake(std::string const& text) {
  try {
    Suppressions().add_file(written(text));
  } catch (OptionError const& error) {
    return std::string(error.what()).substr(file.size());
  }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(patterns_are_thread_sanitizers) {
  BOOST_TEST(matches_pattern("solve", "src/solve.cpp"));
  BOOST_TEST(matches_pattern("src/*.cpp", "src/solve.cpp"));
  BOOST_TEST(matches_pattern("^src*cpp$", "src/solve.cpp"));
  BOOST_TEST(matches_pattern("*", ""));
  BOOST_TEST(matches_pattern(".cpp$", "a.cpp.cpp"));
  BOOST_TEST(!matches_pattern("^solve", "src/solve.cpp"));
  BOOST_TEST(!matches_pattern("solve$", "src/solve.cpp"));
  BOOST_TEST(!matches_pattern("^a*b$", "ab c"));
  BOOST_TEST(!matches_pattern("^ab$", "abab"));
  BOOST_TEST(!matches_pattern("src*src", "src/solve.cpp"));
}

BOOST_AUTO_TEST_CASE(a_line_takes_out_what_it_names) {
  BOOST_TEST(left_by("") == 2);
  BOOST_TEST(left_by("# nothing\n\nrace:other.cpp\n") == 2);
  BOOST_TEST(left_by("race:src/solve.cpp:55 # why\n") == 1);
  BOOST_TEST(left_by("global-race:residual\n") == 1);
  BOOST_TEST(left_by("scratch-race:residual\n") == 2);
  BOOST_TEST(left_by("kernel:^solve$\n") == 0);
  BOOST_TEST(left_by("kernel:^sol$\n") == 2);
  BOOST_TEST(left_by("view:res*al\n") == 0);
  BOOST_TEST(left_by("id:TS-2\n") == 1);
  BOOST_TEST(left_by(suppression_line(finding(Rule::global_race, "TS-1"))) == 1);
}

BOOST_AUTO_TEST_CASE(unused_lines_are_named) {
  Suppressions suppressions;
  suppressions.add_file(written("race:residual\n\nuninit:nowhere\n"));
  Report report = report_of({finding(Rule::global_race, "TS-1")});
  suppressions.apply(report);
  BOOST_REQUIRE(report.program.notes.size() == 1);
  BOOST_TEST(report.program.notes[0] == file + ":3: the suppression uninit:nowhere matched nothing");
  BOOST_TEST(text_summary(report).find("1 suppressed") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_comment_names_the_rules_it_ignores) {
  BOOST_TEST(ignored_rules("x(i) = 1;").empty());
  BOOST_TEST(ignored_rules("f(\"teamsan: ignore(global-race)\");").empty());
  auto const two = ignored_rules("x(i) = 1;  // teamsan: ignore(global-race, same-value) all write zero");
  BOOST_TEST((two == std::vector<std::string>{"global-race", "same-value"}));
  std::string const source = "x(i) = 1;  // teamsan: ignore(global-race) benign";
  Report report = report_of({finding(Rule::global_race, "TS-1", source), finding(Rule::uninit_global, "TS-2", source)});
  Suppressions().apply(report);
  BOOST_REQUIRE(report.findings.size() == 1);
  BOOST_TEST(report.findings[0].id == "TS-2");
}

BOOST_AUTO_TEST_CASE(a_baseline_leaves_what_is_new) {
  Report const old = report_of({finding(Rule::global_race, "TS-1")});
  Suppressions suppressions;
  suppressions.add_baseline(written(json_report(old)));
  Report report = report_of({finding(Rule::global_race, "TS-1"), finding(Rule::global_race, "TS-3")});
  suppressions.apply(report);
  BOOST_REQUIRE(report.findings.size() == 1);
  BOOST_TEST(report.findings[0].id == "TS-3");
}

BOOST_AUTO_TEST_CASE(what_was_written_when_ids_had_six_digits_holds) {
  auto const left = [](std::string const& baseline, Rule rule) {
    Suppressions suppressions;
    suppressions.add_baseline(written(baseline));
    Report report = report_of({finding(rule, "TS-3f9a1c07")});
    suppressions.apply(report);
    BOOST_TEST(report.program.fixed.empty() == report.findings.empty());
    return report.findings.size();
  };
  std::string const old = json_report(report_of({finding(Rule::global_race, "TS-3f9a1c")}));
  BOOST_TEST(left("TS-3f9a1c\n", Rule::global_race) == 0);
  BOOST_TEST(left("TS-3f9a1d\n", Rule::global_race) == 1);
  BOOST_TEST(left("TS-3f9a1c08\n", Rule::global_race) == 1);
  // A stranger with the same digits is told by what else the report knows; a list knows nothing else.
  Suppressions suppressions;
  suppressions.add_baseline(written(old));
  Report report = report_of({finding(Rule::global_race, "TS-3f9a1c07"), finding(Rule::uninit_global, "TS-3f9a1c99")});
  suppressions.apply(report);
  BOOST_REQUIRE(report.findings.size() == 1);
  BOOST_TEST(report.findings[0].id == "TS-3f9a1c99");
}

std::string text_of(std::string const& name) {
  std::ifstream stream(name);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// What of the baseline is fixed by a run that found TS-1 alone; with `update`, the file is written anew.
std::vector<std::string> fixed_by(std::string const& baseline, void (*change)(ProgramFacts&) = nullptr, bool update = false,
                                  bool whole = true) {
  Report report = report_of({finding(Rule::global_race, "TS-1")});
  report.program.arguments = {"./app", "in.yaml"};
  report.program.kernel_names = {"solve"};
  if (change != nullptr) change(report.program);
  Suppressions suppressions;
  suppressions.add_baseline(written(baseline), update, whole);
  suppressions.apply(report);
  suppressions.update_baseline();
  BOOST_TEST(report.findings.empty());
  std::vector<std::string> ids;
  for (FixedFinding const& one : report.program.fixed) ids.push_back(one.id);
  return ids;
}

BOOST_AUTO_TEST_CASE(a_baseline_says_what_is_fixed) {
  using Ids = std::vector<std::string>;
  Report old = report_of({finding(Rule::global_race, "TS-1"), finding(Rule::uninit_global, "TS-2")});
  old.program.arguments = {"build/app", "in.yaml"};
  ReportedFinding other = finding(Rule::global_race, "TS-3");
  other.finding.kernel = "not run";
  old.findings.push_back(other);
  for (std::string const& text : {json_report(old), std::string("TS-1\n  TS-2  # why\n\n"),
                                  std::string("# teamsan run -- app in.yaml\nTS-1\nTS-2\n")}) {
    BOOST_TEST((fixed_by(text) == Ids{"TS-2"}));
    // A run that could not have made it says nothing.
    BOOST_TEST(fixed_by(text, [](ProgramFacts& p) { p.finished = false; }).empty());
    BOOST_TEST(fixed_by(text, [](ProgramFacts& p) { p.judged = false; }).empty());
    BOOST_TEST(fixed_by(text, [](ProgramFacts& p) { p.shard = "1/2"; }).empty());
    BOOST_TEST(fixed_by(text, [](ProgramFacts& p) { p.launches = 2; }).empty());
    BOOST_TEST(fixed_by(text, nullptr, false, false).empty());
    if (text.starts_with("TS")) continue;  // which says of no program
    BOOST_TEST(fixed_by(text, [](ProgramFacts& p) { p.arguments = {"other"}; }).empty());
    BOOST_TEST(fixed_by(text, [](ProgramFacts& p) { p.flags = {"--check", "race"}; }).empty());
    BOOST_TEST((fixed_by(text, [](ProgramFacts& p) { p.flags = {"--seed", "7"}; }) == Ids{"TS-2"}));
  }
}

BOOST_AUTO_TEST_CASE(an_updated_baseline_shrinks) {
  Report old = report_of({finding(Rule::global_race, "TS-1"), finding(Rule::uninit_global, "TS-2")});
  old.program.arguments = {"app", "in.yaml"};
  fixed_by(json_report(old), nullptr, true);
  Report const left = read_json_report_file(file);
  BOOST_REQUIRE(left.findings.size() == 1);
  BOOST_TEST(left.findings[0].id == "TS-1");
  BOOST_TEST(text_of(file).find("\"errors\": 1,") != std::string::npos);
  fixed_by("# mine\nTS-1  # why\nTS-2\n", nullptr, true);
  BOOST_TEST(text_of(file) == "# mine\nTS-1  # why\n");
  std::string const list = id_report(old);
  BOOST_TEST(list == "# teamsan run -- app in.yaml\nTS-1\nTS-2\n");
  fixed_by(list, nullptr, true);
  BOOST_TEST(text_of(file) == "# teamsan run -- app in.yaml\nTS-1\n");
  fixed_by(list, [](ProgramFacts& p) { p.finished = false; }, true);
  BOOST_TEST(text_of(file) == list);
}

/// Reports that were made under a baseline, put together under the same one, show nothing of it to be fixed.
BOOST_AUTO_TEST_CASE(merging_under_the_same_baseline_fixes_nothing) {
  Report all = report_of({finding(Rule::global_race, "TS-3f9a1c07"), finding(Rule::uninit_global, "TS-3f9a1c08")});
  all.program.arguments = {"app"};
  all.program.kernel_names = {"solve"};
  std::string const text = json_report(all);
  auto const made_under = [&](Report made) {
    Suppressions suppressions;
    suppressions.add_baseline(written(text));
    suppressions.apply(made);
    BOOST_TEST(made.findings.empty());
    return read_json_report(json_report(made), "r.json");
  };
  auto const merged = [&](Report made) {
    Suppressions suppressions;
    suppressions.add_baseline(written(text), true);
    suppressions.apply(made);
    suppressions.update_baseline();
    std::vector<std::string> ids;
    for (FixedFinding const& one : made.program.fixed) ids.push_back(one.id);
    return ids;
  };
  BOOST_TEST(merged(made_under(all)).empty());
  BOOST_TEST(read_json_report_file(file).findings.size() == 2);
  // One of them mended:
  Report one = all;
  one.findings.pop_back();
  BOOST_TEST((merged(made_under(one)) == std::vector<std::string>{"TS-3f9a1c08"}));
  BOOST_TEST(read_json_report_file(file).findings.size() == 1);
  // A report that was made under a baseline is as good as one as the baseline itself.
  Suppressions suppressions;
  suppressions.add_baseline(written(json_report(made_under(all))));
  Report again = all;
  suppressions.apply(again);
  BOOST_TEST(again.findings.empty());
  BOOST_TEST(again.known.size() == 2);
  BOOST_TEST(again.known[0].left_out.where == file);
}

BOOST_AUTO_TEST_CASE(a_report_says_who_left_out_what) {
  Report report = report_of({finding(Rule::global_race, "TS-1"), finding(Rule::uninit_global, "TS-2"),
                             finding(Rule::global_race, "TS-3", "x(i) = 1;  // teamsan: ignore(global-race) one value")});
  Suppressions suppressions;
  suppressions.add_lines("\nid:TS-1\n", "app.supp");
  suppressions.apply(report);
  BOOST_REQUIRE(report.known.size() == 2);
  BOOST_TEST((report.known[0].left_out.by == LeftOut::By::suppression));
  BOOST_TEST(report.known[0].left_out.where == "app.supp:2");
  BOOST_TEST((report.known[1].left_out.by == LeftOut::By::source));
  BOOST_TEST(report.known[1].left_out.where == "src/solve.cpp:55");
}

BOOST_AUTO_TEST_CASE(a_new_baseline_holds_what_was_found) {
  std::filesystem::remove(file);
  Report report = report_of({finding(Rule::global_race, "TS-1")});
  Suppressions suppressions;
  suppressions.add_baseline(file, true);
  suppressions.apply(report);
  suppressions.update_baseline();
  BOOST_TEST(report.findings.empty());
  BOOST_TEST(report.program.suppressed == 1);
  BOOST_TEST(text_of(file) == "# teamsan run -- \nTS-1\n");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_read_is_said) {
  BOOST_TEST(mistake("race\n") == ":1: \"race\" is no suppression: write TYPE:PATTERN, as in race:src/solve.cpp");
  BOOST_TEST(mistake("\nrase:x\n") == ":2: unknown type \"rase\": write a rule id, a group such as race, or kernel, view, id");
  BOOST_CHECK_THROW(Suppressions().add_file("/nowhere/at all"), OptionError);
  BOOST_CHECK_THROW(Suppressions().add_baseline(written("{}")), OptionError);
  BOOST_CHECK_THROW(Suppressions().add_baseline(written("not json")), OptionError);
  BOOST_CHECK_THROW(Suppressions().add_baseline(written("TS-1 TS-2")), OptionError);
  BOOST_CHECK_THROW(Suppressions().add_baseline("/nowhere/at all"), OptionError);
  std::filesystem::remove(file);
}
