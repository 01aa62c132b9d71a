// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Findings of one cause: which stand under which, and which stand by themselves.
#include "../../sim/findings/Sentences.hpp"
#include "../../sim/report/Causes.hpp"
#include "../../sim/report/TextReport.hpp"

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
  f.why = {because(Reason::interval_of_start, 0u)};
  found.why = {"barrier interval 0 began at the start of the kernel"};
  f.fix = remedy(Cure::barrier);
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
  later.finding.why = {because(Reason::interval_since, 1u, CodePlace{Site{15}})};
  later.why = {"barrier interval 1 began at the synchronisation at k.cpp:15:1"};
  BOOST_TEST(first_of_cause({race(10, 12), later}) == (Heads{0, 1}));
  BOOST_TEST(first_of_cause({race(10, 12), race(10, 14, "other")}) == (Heads{0, 1}));
  ReportedFinding other_kernel = race(10, 14);
  other_kernel.finding.kernel = "l";
  BOOST_TEST(first_of_cause({race(10, 12), other_kernel}) == (Heads{0, 1}));
  ReportedFinding update = race(10, 14);
  update.finding.fix = remedy(Cure::team_update);  // a barrier does not cure it
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

namespace {

/// Some lanes wait at a line, others have left.
ReportedFinding meeting(unsigned line, std::uint64_t league, Reason why, char const* said) {
  ReportedFinding found;
  Finding& f = found.finding;
  f.rule = Rule::barrier_divergence;
  f.kernel = "k";
  f.launch = 1;
  f.sides.resize(2);
  f.sides[0].league = f.sides[1].league = league;
  f.why = {because(why)};
  found.why = {said};
  found.sides.push_back({{}, {{"k.cpp", line, 1, "f", "/k.cpp"}, {}, ""}, ""});
  found.sides.push_back({});
  found.id = "TS-" + std::to_string(line);
  return found;
}

}  // namespace

BOOST_AUTO_TEST_CASE(lanes_that_left) {
  auto const left = [](unsigned line, std::uint64_t league, char const* said = "22 of 32") {
    return meeting(line, league, Reason::lanes_left, said);
  };
  BOOST_TEST(first_of_cause({left(10, 0), left(11, 0), left(12, 0)}) == (Heads{0, 0, 0}));
  BOOST_TEST(first_of_cause({left(10, 0), left(11, 1)}) == (Heads{0, 1}));              // of another team
  BOOST_TEST(first_of_cause({left(10, 0), left(11, 0, "12 of 32")}) == (Heads{0, 1}));  // others have left as well
  auto const apart = [](unsigned line) { return meeting(line, 0, Reason::lanes_at_two_places, "22 of 32"); };
  BOOST_TEST(first_of_cause({apart(10), apart(11)}) == (Heads{0, 1}));
}

namespace {

/// Of a store and a use in iterations of one kernel.
ReportedFinding of_iterations(unsigned store, unsigned use, AccessKind used = AccessKind::read, char const* label = "labels") {
  ReportedFinding found = race(store, use, label);
  found.finding.rule = Rule::global_race;
  found.finding.data.kind = Data::Kind::view;
  found.finding.why = {because(Reason::iterations_unordered)};
  found.why = {"iterations of one kernel run in any order"};
  found.finding.fix = remedy(Cure::split_or_two_views);
  found.sides[0].side.access = AccessKind::write;
  found.sides[1].side.access = used;
  return found;
}

ReportedFinding with_fix(ReportedFinding found, Cure fix) {
  found.finding.fix = remedy(fix);
  return found;
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_store_and_its_uses) {
  constexpr AccessKind read = AccessKind::read, write = AccessKind::write, add = AccessKind::atomic_write;
  BOOST_TEST(first_of_cause({of_iterations(20, 10), of_iterations(20, 12), of_iterations(20, 25, add)}) == (Heads{0, 0, 0}));
  // Whichever side it stands on, and by way of another store that it races with.
  BOOST_TEST(first_of_cause({of_iterations(20, 10), of_iterations(30, 20, write), of_iterations(30, 11)}) == (Heads{0, 0, 0}));
  // Two stores that race with one read may be cured one without the other.
  BOOST_TEST(first_of_cause({of_iterations(20, 10), of_iterations(30, 10)}) == (Heads{0, 1}));
  // Which of two causes comes first does not matter to their parts.
  BOOST_TEST(first_of_cause({of_iterations(20, 10), of_iterations(30, 10), of_iterations(30, 11), of_iterations(20, 11)}) ==
             (Heads{0, 1, 1, 0}));

  BOOST_TEST(first_of_cause({of_iterations(20, 10), of_iterations(20, 12, read, "other")}) == (Heads{0, 1}));
  BOOST_TEST(first_of_cause({of_iterations(20, 10, read, ""), of_iterations(20, 12, read, "")}) == (Heads{0, 1}));
  ReportedFinding const another = of_iterations(20, 12);
  ReportedFinding other_kernel = another, other_file = another, other_meeting = another;
  other_kernel.finding.kernel = "l";
  other_file.sides[0].trail.place.path = "/l.cpp";
  other_meeting.finding.why = {because(Reason::teams_unordered)};
  BOOST_TEST(first_of_cause({of_iterations(20, 10), other_kernel, other_file}) == (Heads{0, 1, 2}));
  BOOST_TEST(first_of_cause({of_iterations(20, 10), other_meeting}) == (Heads{0, 1}));

  // Where something is to be put between two lines, the second two may lie elsewhere; an update that is made atomic is still
  // read while others add to it.
  constexpr Cure single = Cure::single_first;
  BOOST_TEST(first_of_cause({with_fix(of_iterations(20, 10), single), with_fix(another, single)}) == (Heads{0, 1}));
  constexpr Cure atomic = Cure::iterations_update;
  BOOST_TEST(first_of_cause({with_fix(of_iterations(20, 20, write), atomic), of_iterations(20, 12)}) == (Heads{0, 1}));
}

BOOST_AUTO_TEST_CASE(one_line_pair_in_several_kernels) {
  ReportedFinding const here = of_iterations(20, 10);
  ReportedFinding elsewhere = here, other_rule = here;
  elsewhere.finding.kernel = "l";
  other_rule.finding.kernel = "m";
  other_rule.finding.rule = Rule::same_value;
  BOOST_TEST(first_of_cause({here, elsewhere, other_rule}) == (Heads{0, 0, 2}));
  Report report;
  report.findings = {here, elsewhere};
  std::string const text = text_report(report);
  BOOST_TEST(text.find("the same in kernel \"l\"") != std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(one_store_of_equal_values) {
  ReportedFinding const same = with_rule(of_iterations(20, 10, AccessKind::write), Rule::same_value);
  BOOST_TEST(first_of_cause({of_iterations(20, 12), same}) == (Heads{0, 1}));
  BOOST_TEST(first_of_cause({same, of_iterations(20, 12)}) == (Heads{0, 1}));
  // A warning that is an error with --strict: each stands under what weighs as much.
  ReportedFinding error = of_iterations(20, 14, AccessKind::write);
  error.finding.rule = Rule::same_value;
  BOOST_TEST(first_of_cause({same, error, with_rule(of_iterations(20, 15, AccessKind::write), Rule::same_value)}) ==
             (Heads{0, 1, 0}));
}

BOOST_AUTO_TEST_CASE(one_announcement_of_several_stores) {
  auto const handed = [](unsigned store, unsigned use, char const* label, unsigned atomic = 41) {
    ReportedFinding found = with_rule(of_iterations(store, use, AccessKind::read, label), Rule::unfenced_handover);
    found.finding.why = {because(Reason::atomic_saw_atomic, CodePlace{Site{79}}, CodePlace{Site{atomic}}),
                         because(Reason::no_fence_between)};
    found.why = {"the first lane's atomic at k.cpp:" + std::to_string(atomic), "but no fence lies before that atomic"};
    return found;
  };
  BOOST_TEST(first_of_cause({handed(20, 80, "box"), handed(21, 81, "range"), handed(20, 80, "box", 42)}) == (Heads{0, 0, 2}));
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
  BOOST_TEST(text.find("==== teamsan: 3 errors of 2 causes, no kernel ran") != std::string::npos, text);
  report.findings.push_back(with_rule(race(10, 12), Rule::same_value));
  report.program.suppressed = 4;
  BOOST_TEST(text_summary(report) == "==== teamsan: 3 errors, 1 warning of 2 causes, 4 suppressed, no kernel ran ====\n");
}

BOOST_AUTO_TEST_CASE(what_an_index_strays_into) {
  ReportedFinding stray = with_rule(race(10, 10, "matrix"), Rule::out_of_bounds);
  stray.finding.data.kind = Data::Kind::view;
  stray.finding.sides.pop_back();
  stray.sides.pop_back();
  ReportedFinding raced = with_rule(race(20, 10, "sum"), Rule::global_race);
  raced.finding.data.kind = Data::Kind::view;
  BOOST_TEST(first_of_cause({stray, raced}) == (Heads{0, 0}));
  ReportedFinding const unwritten = with_rule(raced, Rule::uninit_global);
  BOOST_TEST(first_of_cause({stray, unwritten}) == (Heads{0, 0}));
  ReportedFinding own = raced;
  own.finding.data.label = "matrix";
  BOOST_TEST(first_of_cause({stray, own}) == (Heads{0, 1}));
  ReportedFinding beside = raced;
  beside.sides[1].trail.place.column = 7;  // another access of the line
  BOOST_TEST(first_of_cause({stray, beside}) == (Heads{0, 1}));
}
