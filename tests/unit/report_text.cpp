// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Writers turn a finished report into text: golden texts, no simulation.
#include "../../sim/base/Options.hpp"
#include "../../sim/findings/TextLayout.hpp"
#include "../../sim/findings/WordLife.hpp"
#include "../../sim/report/LineReport.hpp"
#include "../../sim/report/TsvReport.hpp"
#include "../../sim/report/TextReport.hpp"
#include "../../sim/report/Writers.hpp"

#include <boost/test/unit_test.hpp>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

using namespace teamsan;

namespace {

Place place(char const* file, unsigned line, unsigned column = 0) {
  return {file, line, column, "lambda in assemble", file};
}

ReportedFinding race() {
  ReportedFinding found;
  Finding& finding = found.finding;
  finding.rule = Rule::scratch_race;
  finding.title = "write/read race on team scratch";
  finding.kernel = "assemble_rhs";
  finding.policy = "TeamPolicy(league=128, team=32, vector=4)";
  finding.launch = 7;
  finding.league_size = 128;
  finding.region = "solve > assemble";
  finding.data = {Data::Kind::scratch, "", 0, 136, 512, 8, Site{}};
  found.why = {
      "interval 2 began at team_barrier() src/rhs.hpp:52; neither lane has reached another barrier"};
  found.fix = "team.team_barrier() between src/rhs.hpp:55 and src/rhs.hpp:57";
  finding.count = 1984;
  finding.teams = 128;
  found.obtained = place("src/rhs.hpp", 41);
  found.kernel_launch = 7;
  found.id = "TS-3f9a1c";
  Side write{AccessKind::write, 8, true, 3, 4, 1, 0, true, 2, Site{1}, {}, ""};
  Side read{AccessKind::read, 8, true, 3, 12, 0, 1, true, 2, Site{1}, {}, ""};
  found.sides.push_back(
      {write, {place("src/rhs.hpp", 55, 9), {}, ""}, "        tile(i) = coef(i) * x(col(i));"});
  found.sides.push_back(
      {read, {place("src/rhs.hpp", 57, 18), {place("src/solve.cpp", 210)}, ""}, "  sum += tile(i + 1);"});
  return found;
}

ProgramFacts facts() {
  ProgramFacts program;
  program.arguments = {"./app", "in.yaml"};
  program.device = "H100";
  program.kernels = 3;
  program.launches = program.launches_checked = 12;
  return program;
}

std::size_t widest(std::string const& text) {
  std::size_t width = 0;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) width = std::max(width, line.size());
  return width;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_race_as_a_person_reads_it) {
  std::string const expected =
      R"(==== teamsan: ERROR [scratch-race] write/read race on team scratch ============== finding 1 of 2
 Kernel  "assemble_rhs"  TeamPolicy(league=128, team=32, vector=4)  launch #7
         region solve > assemble
 Data    scratch level 0, element 17 of 64 (8 bytes each), byte 136   obtained at src/rhs.hpp:41
 WRITE   league 3  thread 4   lane 1  (warp 0)   barrier interval 2
         src/rhs.hpp:55:9
          55 |     tile(i) = coef(i) * x(col(i));
             |     ^
 READ    league 3  thread 12  lane 0  (warp 1)   barrier interval 2
         src/rhs.hpp:57:18   called from src/solve.cpp:210
          57 |     sum += tile(i + 1);
             |                    ^
 Why     interval 2 began at team_barrier() src/rhs.hpp:52; neither lane has reached another
         barrier
 Fix     team.team_barrier() between src/rhs.hpp:55 and src/rhs.hpp:57
 Count   1,984 element pairs in 128 of 128 teams, all from this line pair
 Rerun   teamsan run --kernel-name assemble_rhs --launch-skip 6 --launch-count 1 --team 3 -- \
         ./app in.yaml
 Id      TS-3f9a1c
)";
  BOOST_TEST(text_finding(race(), facts(), 1, 2) == expected);
}

BOOST_AUTO_TEST_CASE(a_long_line_is_cut_around_its_column) {
  std::string const line =
      "    for (int i = 0; i < n; ++i) { total(i) = weight(i) * value(i); other(i) = total(i + 1) - total(i - 1) * 2; }";
  auto const pointed_at = [&](std::size_t column, std::size_t most) {
    QuotedPart const part = part_to_quote(line, static_cast<unsigned>(column), most);
    BOOST_TEST(part.text.size() <= most);
    BOOST_REQUIRE(part.caret < part.text.size());
    return part.text.substr(part.caret, 5);
  };
  for (std::size_t const most : {40u, 60u, 80u, 200u}) {
    BOOST_TEST(pointed_at(line.find("total(i)") + 1, most) == "total");
    BOOST_TEST(pointed_at(line.find("total(i + 1)") + 1, most) == "total");
    BOOST_TEST(pointed_at(line.find("* 2; }") + 1, most) == "* 2; ");
  }
  BOOST_TEST(part_to_quote(line, 5, 200).text == line.substr(4));
  BOOST_TEST(part_to_quote(line, 0, 40).caret == std::string::npos);
  BOOST_TEST(part_to_quote(line, 400, 40).caret == std::string::npos);
  BOOST_TEST(part_to_quote(line, 2, 40).caret == std::string::npos);  // in the indentation
  BOOST_TEST(quoted_line(7, "  x(i) = 1;", 3) == "           7 |     x(i) = 1;\n             |     ^\n");
}

BOOST_AUTO_TEST_CASE(the_hosts_calls_and_the_kernels_are_named) {
  ReportedFinding found = race();
  found.launched = {place("src/solve.cpp", 88), place("src/main.cpp", 20)};
  std::string text = text_finding(found, facts(), 1, 1);
  BOOST_TEST(text.find("launched at src/solve.cpp:88  called from src/main.cpp:20") != std::string::npos, text);
  auto& callers = found.sides[1].trail.callers;
  callers.clear();
  for (unsigned line = 101; line != 108; ++line) callers.push_back(place("a.hpp", line));
  text = text_finding(found, facts(), 1, 1);
  BOOST_TEST(text.find("calls ...") == std::string::npos, text);
  for (unsigned line = 108; line != 120; ++line) callers.push_back(place("a.hpp", line));
  text = text_finding(found, facts(), 1, 1);
  for (char const* shown : {"a.hpp:101", "a.hpp:104", "... 13 calls ...", "a.hpp:118", "a.hpp:119"})
    BOOST_TEST(text.find(shown) != std::string::npos, shown);
  BOOST_TEST(text.find("a.hpp:105") == std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(no_line_passes_the_width) {
  ReportedFinding found = race();
  found.finding.kernel = std::string(400, 'k');
  found.finding.message = "words " + std::string(60, 'w') +
                          " and more words that go on and on until the line is full, twice over";
  std::string text = text_finding(found, {}, 1, 1);
  BOOST_TEST(widest(text) <= 140u);  // a label that long is cut, not wrapped
  found.finding.kernel = "k";
  BOOST_TEST(widest(text_finding(found, facts(), 10, 100)) <= 100u);
}

BOOST_AUTO_TEST_CASE(a_terminal_of_80_columns_gets_no_longer_line) {
  int const terminal = posix_openpt(O_RDWR | O_NOCTTY);
  BOOST_REQUIRE(terminal >= 0);
  winsize size{};
  size.ws_col = 80;
  BOOST_REQUIRE(ioctl(terminal, TIOCSWINSZ, &size) == 0);
  ReportedFinding found = race();
  found.finding.title = "write/read race on team scratch of the second level";
  found.sides[0].source = std::string(100, 's');
  std::string const wide = text_finding(found, facts(), 1, 2);
  {
    TerminalWidth const width(terminal);
    std::string const text = text_finding(found, facts(), 1, 2);
    BOOST_TEST(widest(text) <= 80u);
    BOOST_TEST(text.starts_with("==== teamsan: ERROR [scratch-race] write/read race on team scratch of\n"
                                "         the second level\n"
                                "         ======================================================== finding 1 of 2\n"));
    // What was told while the program ran, counted at its end.
    std::unordered_set<std::string> const told{found.id};
    Report report;
    report.findings = {found};
    report.findings[0].finding.count = 204'800;
    std::string const end = text_report(report, {.told = &told});
    BOOST_TEST(widest(end) <= 80u, end);
    BOOST_TEST(end.find(" TS-3f9a1c  ERROR [scratch-race]\n         204,800 element pairs in 128 of 128") != end.npos, end);
  }
  setenv("COLUMNS", "70", 1);
  {
    TerminalWidth const width(STDERR_FILENO);
    std::string const text = text_finding(found, facts(), 1, 2);
    BOOST_TEST(text.find('\n' + std::string(9, ' ') + std::string(46, '=') + " finding 1 of 2\n") != std::string::npos, text);
  }
  {
    TerminalWidth const width(-1);  // a file
    BOOST_TEST(text_finding(found, facts(), 1, 2) == wide);
  }
  setenv("COLUMNS", "many", 1);
  {
    TerminalWidth const width(terminal);
    BOOST_TEST(widest(text_finding(found, facts(), 1, 2)) <= 80u);
  }
  unsetenv("COLUMNS");
  BOOST_TEST(widest(wide) > 80u);
  BOOST_TEST(text_finding(found, facts(), 1, 2) == wide);  // whoever is no terminal
  close(terminal);
}

BOOST_AUTO_TEST_CASE(lanes_that_wait_say_where) {
  ReportedFinding found = race();
  found.finding.rule = Rule::barrier_divergence;
  found.finding.data = {};
  found.finding.count = 1;
  found.finding.teams = 1;
  for (auto& side : found.sides) side.side.access = AccessKind::none, side.side.bytes = 0;
  found.sides[0].side.role = "waits at team_barrier()";
  found.sides[1].side.role = "ended";
  std::string const text = text_finding(found, facts(), 1, 1);
  BOOST_TEST(
      text.find(
          " LANE    league 3  thread 4   lane 1  (warp 0)   barrier interval 2, waits at team_barrier()\n") !=
      std::string::npos);
  BOOST_TEST(text.find("barrier interval 2, ended\n") != std::string::npos);
  BOOST_TEST(text.find(" Count   1 time in 1 of 128 teams\n") != std::string::npos);
  BOOST_TEST(text.find(" Data ") == std::string::npos);
}

// One finding stands for all lines that read a global variable of the host: its count is not the first line's.
BOOST_AUTO_TEST_CASE(a_variables_count_is_of_no_line) {
  ReportedFinding found = race();
  found.finding.rule = Rule::wrong_space;
  found.finding.data = {Data::Kind::host, "grid"};
  found.finding.count = 374;
  found.finding.teams = 1;
  found.finding.league_size = 1;
  found.sides.pop_back();
  BOOST_TEST(text_finding(found, facts(), 1, 1).find(" Count   374 accesses in 1 of 1 team\n") != std::string::npos);
  found.finding.data.label.clear();
  BOOST_TEST(text_finding(found, facts(), 1, 1).find(" in 1 of 1 team, all from this line\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(offsets_outside_the_data_are_named) {
  auto const data_of = [](std::uint64_t offset) {
    ReportedFinding found = race();
    found.finding.data = {Data::Kind::view, "x", 0, offset, 80, 8, Site{}};
    found.obtained = {};
    std::string const text = text_finding(found, facts(), 1, 1);
    std::size_t const at = text.find(" Data    ") + 9;
    return text.substr(at, text.find_first_of('\n', at) - at);
  };
  BOOST_TEST(data_of(16) == "x: device memory, element 2 of 10 (8 bytes each), byte 16");
  BOOST_TEST(data_of(80) == "x: device memory, 10 elements of 8 bytes, right past its end");
  BOOST_TEST(data_of(84) == "x: device memory, 10 elements of 8 bytes, 4 bytes past its end");
  BOOST_TEST(data_of(std::uint64_t(-8)) ==
             "x: device memory, 10 elements of 8 bytes, 8 bytes before its start");
}

BOOST_AUTO_TEST_CASE(host_code_and_unknown_lines) {
  ReportedFinding found = race();
  found.sides[1].side.has_lane = found.sides[1].side.has_interval = false;
  found.sides[1].trail = {};
  found.sides[1].trail.function = "update";
  std::string const text = text_finding(found, facts(), 1, 1);
  BOOST_TEST(text.find(" READ    host code\n         no source line known in update: build with -g1\n") !=
             std::string::npos);
  BOOST_TEST(text.find("--team") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_rerun_command_can_be_pasted) {
  ReportedFinding found = race();
  found.finding.kernel = "it's a label";
  found.kernel_launch = 1;
  ProgramFacts program = facts();
  program.flags = {"--device", "a100"};
  BOOST_TEST(rerun_command(found, program) ==
             "teamsan run --device a100 --kernel-name 'it'\\''s a label' --launch-count 1 --team 3 \\\n"
             "         -- ./app in.yaml");
  found.finding.kernel = "Kokkos::View::fill [tile*]";
  BOOST_TEST(rerun_command(found, program) ==
             "teamsan run --device a100 --kernel-name 'Kokkos::View::fill \\[tile\\*]' \\\n"
             "         --launch-count 1 --team 3 -- ./app in.yaml");
  program.arguments.clear();
  BOOST_TEST(rerun_command(found, program) == "");
}

BOOST_AUTO_TEST_CASE(what_rests_on_other_teams_is_run_again_with_them) {
  ReportedFinding found = race();
  auto const names = [&](char const* what) { return rerun_command(found, facts()).find(what) != std::string::npos; };
  BOOST_TEST((names("--launch-count 1") && names("--team 3")));
  found.finding.on_team_order = true;
  BOOST_TEST((names("--launch-count 1") && !names("--team")));
  found.finding.on_team_order = false;
  found.finding.rule = Rule::global_race;
  BOOST_TEST((names("--launch-count 1") && !names("--team")));
}

BOOST_AUTO_TEST_CASE(what_rests_on_other_kernels_is_run_again_with_them) {
  ReportedFinding found = race();
  ProgramFacts program = facts();
  program.flags = {"--check", "race,uninit", "--seed", "3"};
  found.finding.rule = Rule::uninit_global;
  BOOST_TEST(rerun_command(found, program) == "teamsan run --check uninit-global --seed 3 -- ./app in.yaml");
  program.launcher = "../build/sim/cli/teamsan";  // as it was called
  BOOST_TEST(rerun_command(found, program) == "../build/sim/cli/teamsan run --check uninit-global --seed 3 -- ./app in.yaml");
  program.launcher.clear();
  found.finding.rule = Rule::missing_fence;
  found.sides[1].side.role = "kernel \"fill\" (launch #2)";
  BOOST_TEST(rerun_command(found, program) == "teamsan run --check missing-fence --seed 3 -- ./app in.yaml");
}

BOOST_AUTO_TEST_CASE(closing_line) {
  Report report;
  report.program = facts();
  BOOST_TEST(text_report(report) ==
             "==== teamsan: no findings in 3 kernels, 12 launches checked on H100 ====\n");
  BOOST_TEST(text_report(report, {.summary = false}) == "");
  report.program.launches_decided = 5;
  BOOST_TEST(text_report(report) ==
             "==== teamsan: no findings in 3 kernels, 12 launches checked (5 by arithmetic) on H100 ====\n");
  report.program.launches_decided = 0;
  report.findings = {race(), race(), race()};
  report.findings[2].finding.severity = Severity::warning;
  BOOST_TEST(text_summary(report) ==
             "==== teamsan: 2 errors, 1 warning in 3 kernels, 12 launches checked on H100 ====\n");
  report.program.launches = 40;
  report.program.crashed = true;
  BOOST_TEST(text_summary(report) ==
             "==== teamsan: 2 errors, 1 warning in 3 kernels, 12 of 40 launches checked on H100, the program "
             "did not reach its end ====\n");
  BOOST_TEST(text_summary({}) == "==== teamsan: no findings, no kernel ran ====\n");
}

BOOST_AUTO_TEST_CASE(print_limit_and_notes) {
  Report report;
  report.program = facts();
  report.program.notes = {"something to know"};
  report.findings = {race(), race(), race()};
  std::string const text = text_report(report, {.print_limit = 1});
  BOOST_TEST(text.find("finding 1 of 3") != std::string::npos);
  BOOST_TEST(text.find("finding 2 of 3") == std::string::npos);
  BOOST_TEST(text.find("==== teamsan: 2 more findings not printed: see --print-limit ====\n") !=
             std::string::npos);
  BOOST_TEST(text.find("==== teamsan: note: something to know\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(colour_only_where_asked) {
  BOOST_TEST(text_finding(race(), facts(), 1, 1).find('\033') == std::string::npos);
  BOOST_TEST(text_finding(race(), facts(), 1, 1, {.color = true}).starts_with("\033[1;31m===="));
}

BOOST_AUTO_TEST_CASE(one_line_a_finding) {
  Report report;
  report.findings = {race(), race()};
  report.findings[1].sides.resize(1);
  report.findings[1].finding.kernel = "tab\there";
  BOOST_TEST(tsv_report(report) ==
             "scratch-race\terror\tsrc/rhs.hpp:55\tsrc/rhs.hpp:57\tassemble_rhs\t1984\tTS-3f9a1c\n"
             "scratch-race\terror\tsrc/rhs.hpp:55\t-\ttab\\there\t1984\tTS-3f9a1c\n");
}

BOOST_AUTO_TEST_CASE(lines_that_an_editor_can_jump_to) {
  Report report;
  report.findings = {race(), race()};
  report.findings[1].finding.severity = Severity::warning;
  report.findings[1].sides.clear();
  report.findings[1].finding.message = "first line\nsecond line";
  report.findings[1].fix = "";
  BOOST_TEST(
      line_report(report) ==
      "src/rhs.hpp:55:9: error: write/read race on team scratch in kernel \"assemble_rhs\" [scratch-race] TS-3f9a1c\n"
      "src/rhs.hpp:57:18: note: READ: league 3  thread 12  lane 0  (warp 1)   barrier interval 2\n"
      "src/rhs.hpp:55:9: note: fix: team.team_barrier() between src/rhs.hpp:55 and src/rhs.hpp:57\n"
      "teamsan: warning: write/read race on team scratch in kernel \"assemble_rhs\": first line [scratch-race] TS-3f9a1c\n");
}

BOOST_AUTO_TEST_CASE(a_joined_report_names_tests_and_ranks) {
  Report report;
  report.program = facts();
  report.program.arguments.clear();
  for (char const* rank : {"0", "1", "2", "5"})
    report.program.runs.push_back({"halo_exchange", rank, {"./halo", "in.yaml"}, {"--seed", "3"}, "teamsan", "/build/halo/"});
  report.program.runs.push_back({"solve", "", {"./solve"}, {}, "teamsan", "/build/solve/"});
  report.program.runs.push_back({"clean", "", {"./clean"}, {}, "teamsan", "/build/clean/"});
  report.findings = {race(), race()};
  report.findings[0].runs = {1, 0, 2, 3, 4};
  report.findings[1].runs = {4};
  report.findings[1].id = "TS-77aa0012";
  std::string const text = text_report(report);
  BOOST_TEST(text.find(" Tests   halo_exchange (ranks 0-2, 5), solve\n") != std::string::npos);
  BOOST_TEST(text.find(" Tests   solve\n") != std::string::npos);
  // Each with its own test's command, from where that was started.
  BOOST_TEST(text.find("cd /build/halo/ && teamsan run --seed 3 --kernel-name assemble_rhs") != std::string::npos);
  BOOST_TEST(text.find("cd /build/solve/ && teamsan run --kernel-name assemble_rhs") != std::string::npos);
  BOOST_TEST(text.find("==== teamsan: by test ====\n"
                       " halo_exchange (ranks 0-2, 5): TS-3f9a1c\n"
                       " solve: TS-3f9a1c TS-77aa0012\n"
                       " 1 other test without findings\n") != std::string::npos);
  BOOST_TEST(text_report(Report{}).find("by test") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_was_left_out_is_listed_folded) {
  Report report;
  report.program = facts();
  report.known = {race(), race(), race()};
  report.known[0].left_out = report.known[1].left_out = {LeftOut::By::baseline, "known.json"};
  report.known[1].finding.rule = Rule::uninit_scratch;
  report.known[2].left_out = {LeftOut::By::suppression, "app.supp:3"};
  report.program.suppressed = 3;
  std::string const text = text_report(report);
  BOOST_TEST(text.find("==== teamsan: known: 1 left out by app.supp:3: 1 scratch-race\n"
                       "==== teamsan: known: 2 left out by known.json: 1 scratch-race, 1 uninit-scratch\n") !=
             std::string::npos);
  BOOST_TEST(text.find("finding 1") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(report_targets_name_a_format_and_a_file) {
  auto const targets = report_targets("text=a.txt\nlines=b=c");
  BOOST_REQUIRE(targets.size() == 2u);
  BOOST_TEST(targets[0].writer->format == "text");
  BOOST_TEST(targets[1].file == "b=c");
  BOOST_CHECK_EXCEPTION(report_targets("txt=a"), OptionError, [](OptionError const& error) {
    return std::string(error.what()) == "unknown report format \"txt\"; the nearest known one is \"text\"";
  });
  BOOST_CHECK_THROW(report_targets("text"), OptionError);
  BOOST_CHECK_THROW(report_targets("text="), OptionError);
}

BOOST_AUTO_TEST_CASE(numbers_as_people_write_them) {
  BOOST_TEST(counted(1, "team") == "1 team");
  BOOST_TEST(counted(0, "access") == "0 accesses");
  BOOST_TEST(counted(2, "launch") == "2 launches");
  BOOST_TEST(with_commas(999) == "999");
  BOOST_TEST(with_commas(1234567) == "1,234,567");
}

BOOST_AUTO_TEST_CASE(lanes_and_teams_that_do_alike_share_a_row_of_a_words_life) {
  WordLife life;
  auto const touch = [&](std::uint64_t league, std::uint32_t thread, std::uint32_t lane, int side = -1) {
    WordTouch& t = life.touches.emplace_back();
    t.league = league, t.thread = thread, t.vector_lane = lane, t.side = side;
    t.access = AccessKind::read;
    t.bytes = 8;
  };
  auto const rows = [&] {
    std::string const table = word_life_table(life);
    return std::count(table.begin(), table.end(), '\n') - 3;  // the heads, a blank line, the place
  };
  for (std::uint64_t league = 0; league != 200; ++league) touch(league, 3, 1);
  BOOST_TEST(rows() == 1);
  BOOST_TEST(word_life_table(life).find("     0-199         3      1  read") != std::string::npos, word_life_table(life));
  life = {};
  for (std::uint32_t thread = 0; thread != 2; ++thread)
    for (std::uint32_t lane = 0; lane != 100; ++lane) touch(0, thread, lane);
  BOOST_TEST(rows() == 2);
  life = {};
  for (std::uint64_t league = 0; league != 4; ++league)
    for (std::uint32_t lane = 0; lane != 2; ++lane) touch(league, 0, lane);
  BOOST_TEST(rows() == 4);  // a row goes on in one direction alone
  life = {};
  touch(0, 0, 0, 0), touch(1, 0, 0), touch(3, 0, 0);  // the finding's own, and not the next team
  BOOST_TEST(rows() == 3);
}
