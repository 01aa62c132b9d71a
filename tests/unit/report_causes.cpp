/// Findings of one cause: which stand under which, and which stand by themselves.
#include <teamsan/sim/report/Causes.hpp>
#include <teamsan/sim/report/TextReport.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace teamsan;

namespace {

ReportedFinding race(unsigned write, unsigned read, char const* label = "tile") {
  ReportedFinding found;
  Finding& f = found.finding;
  f.rule = Rule::scratch_race;
  f.kernel = "k";
  f.launch = 1;
  f.data.kind = Data::Kind::scratch;
  f.data.label = label;
  f.sides.resize(2);
  f.why = {"barrier interval 0 began at the start of the kernel; neither lane has reached another barrier"};
  f.fix = "put member.team_barrier() between a and b";
  for (unsigned const line : {write, read})
    found.sides.push_back({{}, {{"k.cpp", line, 1, "f", "/k.cpp"}, {}, ""}, ""});
  found.id = "TS-" + std::to_string(write) + std::to_string(read);
  return found;
}

ReportedFinding with_rule(ReportedFinding found, Rule rule) {
  found.finding.rule = rule;
  if (rule == Rule::same_value) found.finding.severity = Severity::warning;
  return found;
}

using Heads = std::vector<std::size_t>;

}  // namespace

BOOST_AUTO_TEST_CASE(one_missing_meeting) {
  BOOST_TEST(first_of_cause({race(10, 12), race(10, 14), race(11, 12)}) == (Heads{0, 0, 0}));
  ReportedFinding later = race(20, 22);
  later.finding.why = {
      "barrier interval 1 began at the synchronisation at k.cpp:15:1; neither lane has reached another barrier"};
  BOOST_TEST(first_of_cause({race(10, 12), later}) == (Heads{0, 1}));
  BOOST_TEST(first_of_cause({race(10, 12), race(10, 14, "other")}) == (Heads{0, 1}));
  ReportedFinding other_kernel = race(10, 14);
  other_kernel.finding.kernel = "l";
  BOOST_TEST(first_of_cause({race(10, 12), other_kernel}) == (Heads{0, 1}));
  ReportedFinding update = race(10, 14);
  update.finding.fix = "make the update atomic";  // a barrier does not cure it
  BOOST_TEST(first_of_cause({race(10, 12), update}) == (Heads{0, 1}));
}

BOOST_AUTO_TEST_CASE(views_that_take_turns) {
  BOOST_TEST(first_of_cause({race(10, 12, "now"), race(10, 12, "next")}) == (Heads{0, 0}));
}

BOOST_AUTO_TEST_CASE(equal_stores_and_what_was_read_too_early) {
  ReportedFinding const same = with_rule(race(10, 12), Rule::same_value);
  BOOST_TEST(first_of_cause({race(10, 12), same}) == (Heads{0, 0}));
  ReportedFinding const handover = with_rule(race(10, 12), Rule::unfenced_handover);
  BOOST_TEST(first_of_cause({race(10, 12), handover}) == (Heads{0, 0}));
  BOOST_TEST(first_of_cause({same, race(10, 12)}) == (Heads{0, 1}));  // an error does not stand under a warning
  ReportedFinding uninit = with_rule(race(10, 12), Rule::uninit_scratch);
  uninit.sides.erase(uninit.sides.begin());
  BOOST_TEST(first_of_cause({race(10, 12), uninit}) == (Heads{0, 0}));
  BOOST_TEST(first_of_cause({uninit, race(10, 12)}) == (Heads{0, 0}));
  uninit.sides[0].trail.place.line = 13;
  BOOST_TEST(first_of_cause({race(10, 12), uninit}) == (Heads{0, 1}));
}

BOOST_AUTO_TEST_CASE(one_line_pair_of_nested_constructs) {
  ReportedFinding const here = with_rule(race(10, 10), Rule::nesting);
  ReportedFinding elsewhere = here, other = here;
  elsewhere.finding.kernel = "l";
  other.finding.title = "single(PerTeam) inside a TeamThreadRange";
  BOOST_TEST(first_of_cause({here, elsewhere, other}) == (Heads{0, 0, 2}));
  elsewhere.sides[0].trail.place.line = 11;
  BOOST_TEST(first_of_cause({here, elsewhere}) == (Heads{0, 1}));
}

BOOST_AUTO_TEST_CASE(the_text_says_each_cause_once) {
  Report report;
  report.findings = {race(10, 12), race(10, 14), race(30, 31, "other")};
  std::string const text = text_report(report);
  BOOST_TEST(text.find("finding 1 of 3") != std::string::npos, text);
  BOOST_TEST(text.find("finding 2 of 3") == std::string::npos, text);
  BOOST_TEST(text.find(" Also    TS-1014 scratch-race  LANE k.cpp:10 and LANE k.cpp:14  on tile") != std::string::npos, text);
  BOOST_TEST(text.find("finding 3 of 3") != std::string::npos, text);
  BOOST_TEST(text.find("3 errors") != std::string::npos, text);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
