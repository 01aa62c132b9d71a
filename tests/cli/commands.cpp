// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every command and every mistake as a shell sees them: status, standard output, standard error.
#include "Command.hpp"

#include <unistd.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>

BOOST_AUTO_TEST_CASE(version_and_help) {
  Result const version = teamsan("--version");
  BOOST_TEST(version.out.starts_with("teamsan 0."));
  BOOST_TEST(version.status == 0);
  for (char const* words : {"--help", "run --help", "devices --help", "explain --help", "model --help",
                            "merge --help", "doctor --help"}) {
    Result const help = teamsan(words);
    BOOST_TEST(help.status == 0);
    BOOST_TEST(help.out.find("Usage: teamsan") != std::string::npos);
    BOOST_TEST(shape_of(help.out).lines <= 50u);  // one screen
    BOOST_TEST(shape_of(help.out).columns <= 80u);
  }
  BOOST_TEST(teamsan("-v").out == version.out);
  BOOST_TEST(teamsan("help").out == teamsan("--help").out);
  BOOST_TEST(teamsan("help merge").out == teamsan("merge --help").out);
  BOOST_TEST(teamsan("help merge").status == 0);
  Result const nothing = teamsan("");
  BOOST_TEST(nothing.status == 2);
  BOOST_TEST(nothing.out.find("Usage: teamsan COMMAND") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_help_of_run_names_every_option) {
  std::string const help = teamsan("run --help").out;
  std::ifstream list(OPTIONS);
  unsigned options = 0;
  for (std::string line; std::getline(list, line);) {
    if (!line.starts_with("TEAMSAN_OPTION(")) continue;
    std::size_t const begin = line.find(", ") + 2;
    std::string flag = "  --" + line.substr(begin, line.find(',', begin) - begin);
    std::replace(flag.begin(), flag.end(), '_', '-');
    BOOST_TEST((help.find(flag) != std::string::npos || help.find(flag.substr(1)) != std::string::npos), "no" << flag);
    ++options;
  }
  BOOST_TEST(options >= 35u);
}

BOOST_AUTO_TEST_CASE(mistakes_are_one_sentence) {
  expect_mistake("rnu ./app", "unknown command \"rnu\"; the nearest known one is \"run\"");
  expect_mistake("--versoin", "unknown option --versoin; the nearest known one is --version");
  expect_mistake("run --devcie h100 ./app", "unknown option --devcie; the nearest known one is --device");
  expect_mistake("run --devcie=h100 ./app", "unknown option --devcie; the nearest known one is --device");
  expect_mistake("run --check rase " MARKED, "unknown check \"rase\"; the nearest known one is \"race\"");
  expect_mistake("run --device h10 " MARKED,
                 "unknown device \"h10\"; the nearest known one is \"h100\"; `teamsan devices` lists all");
  expect_mistake("run --seed x " MARKED, "--seed x is not understood; --seed takes a whole number");
  expect_mistake("run --lane-order ascendin " MARKED,
                 "unknown --lane-order \"ascendin\"; the nearest known one is \"ascending\"");
  BOOST_TEST(teamsan("run " MARKED, "TEAMSAN_OPTIONS=stack_size=x").out ==
             "teamsan: stack_size=x is not understood; stack_size takes a whole number, with K, M or G for larger units\n");
  expect_mistake("run --leak-check ful " MARKED, "unknown --leak-check \"ful\"; the nearest known one is \"full\"");
  expect_mistake("run --history-size 3 " MARKED, "unknown option --history-size; teamsan run --help names them");
  expect_mistake("run", "run needs a program: teamsan run [options] [--] app args...");
  expect_mistake("run --seed", "--seed wants a value: --seed N");
  expect_mistake("run --core-on-finding -- " MARKED, "--core-on-finding wants a value: --core-on-finding FILE");
  expect_mistake("run --team --quick " MARKED, "--team wants a value: --team N");
  expect_mistake("merge a.json --report", "--report wants a value: --report FORMAT=FILE");
  expect_mistake("merge --sources reports", "merge needs reports: teamsan merge [options] REPORT.json...");  // a folder
  expect_mistake("devices h100 a100", "devices does not take \"a100\"");
  expect_mistake("devices h10",
                 "unknown device \"h10\"; the nearest known one is \"h100\"; `teamsan devices` lists all");
  expect_mistake("explain scratch-rcae",
                 "unknown rule \"scratch-rcae\"; the nearest known one is \"scratch-race\"");
  expect_mistake("explain", "explain needs a rule: teamsan explain RULE (teamsan explain --help lists them)");
}

BOOST_AUTO_TEST_CASE(findings_are_left_out_for_a_reason) {
  std::string const file = "cli_suppress_test.supp", to = " --to " + file;
  std::filesystem::remove(file);
  expect_mistake("suppress TS-3f9a1c" + to,
                 "suppress needs a reason: teamsan suppress TS-... --reason \"every lane writes zero\"");
  expect_mistake("suppress TS-3f9a1c --reason ' '" + to,
                 "suppress needs a reason: teamsan suppress TS-... --reason \"every lane writes zero\"");
  expect_mistake("suppress scratch-race --reason x" + to, "\"scratch-race\" is no id of a finding, such as TS-e9b6c2ae");
  BOOST_TEST(!std::filesystem::exists(file));
  Result const first = teamsan("suppress TS-3f9a1c TS-000001 --reason 'all write zero'" + to);
  BOOST_TEST(first.out == file + ": id:TS-3f9a1c  # all write zero\n" + file + ": id:TS-000001  # all write zero\n");
  BOOST_TEST(first.status == 0);
  expect_mistake("suppress TS-3f9a1c --reason again" + to, file + " has TS-3f9a1c already");
  Result const second = teamsan("suppress TS-000002 --reason later" + to);
  BOOST_TEST(second.status == 0);
  std::ifstream stream(file);
  std::string const text{std::istreambuf_iterator<char>(stream), {}};
  BOOST_TEST(text == "id:TS-3f9a1c  # all write zero\nid:TS-000001  # all write zero\nid:TS-000002  # later\n");
  std::ofstream(file) << "no suppression\n";
  BOOST_TEST(teamsan("suppress TS-000003 --reason x" + to).status == 2);
  std::filesystem::remove(file);
}

BOOST_AUTO_TEST_CASE(programs_that_cannot_be_checked) {
  namespace fs = std::filesystem;
  fs::path const folder = fs::absolute("cli_commands_test");
  fs::create_directory(folder);
  std::string const script = (folder / "script").string(), plain = (folder / "plain").string();
  std::ofstream(script) << "#!/bin/sh\nexit 0\n";
  fs::copy_file(script, plain, fs::copy_options::overwrite_existing);
  fs::permissions(script, fs::perms::owner_all);
  expect_mistake("run ./no/such/program", "there is no program ./no/such/program");
  expect_mistake("run no-such-program", "no program \"no-such-program\" in PATH");
  expect_mistake("run " + folder.string(), folder.string() + " is a folder, not a program");
  expect_mistake("run " + plain, plain + " is not executable: chmod +x " + plain);
  expect_mistake("run " + script,
                 script +
                     " is a script, not a program: start the script itself with TEAMSAN_OPTIONS set, "
                     "or give teamsan the program that it starts");
  expect_mistake("run " PLAIN, std::string(PLAIN) +
                                   " is not instrumented: build it with teamsan_add_checked(app) in CMake "
                                   "and run app_teamsan");
  fs::remove_all(folder);
}

BOOST_AUTO_TEST_CASE(starts_the_program_with_the_flags_as_options) {
  Result const result = teamsan(
      "run --device a100 --seed=4 --quick --tool racecheck --kernel-name 'ns::f*' --kernel-name b --kernel-regex ^c "
      "--report text=a --report lines=b --summary=0 -- " MARKED " --seed 9 -x 'a b'");
  BOOST_TEST(
      result.out ==
      "options [check=racecheck:device=a100:seed=4:kernel_name=\"ns::f*\":kernel_name=b:kernel_regex=^c:quick=1:report=text=a:"
      "report=lines=b:summary=0] [program] [--seed] [9] [-x] [a b]\n");
  BOOST_TEST(result.status == 7);
}

BOOST_AUTO_TEST_CASE(the_double_dash_is_optional_and_only_the_first_is_ours) {
  BOOST_TEST(teamsan("run " MARKED " -- a").out == "options [] [program] [--] [a]\n");
  BOOST_TEST(teamsan("run -- " MARKED " --quick -- a").out == "options [] [program] [--quick] [--] [a]\n");
  BOOST_TEST(teamsan("run --team -1 --check -same-value " MARKED).out ==
             "options [check=-same-value:team=-1] [program]\n");
}

BOOST_AUTO_TEST_CASE(flags_win_over_the_environment) {
  Result const result = teamsan("run --seed 4 " MARKED, "TEAMSAN_OPTIONS=seed=3:strict");
  BOOST_TEST(result.out == "options [seed=3:strict:seed=4] [program]\n");
  // Names add up, but not those of a Rerun line to those that somebody once exported.
  BOOST_TEST(teamsan("run --kernel-name a " MARKED, "TEAMSAN_OPTIONS=kernel_name=b").out ==
             "options [kernel_name=b:kernel_name=\"\":kernel_name=a] [program]\n");
  BOOST_TEST(teamsan("run --no-config " MARKED).out == "options [config=0] [program]\n");
  Result const wrong = teamsan("run --seed 4 " MARKED, "TEAMSAN_OPTIONS=sede=3");
  BOOST_TEST(wrong.out ==
             "teamsan: unknown option \"sede\" in TEAMSAN_OPTIONS; the nearest known one is \"seed\"\n");
  BOOST_TEST(wrong.status == 2);
}

BOOST_AUTO_TEST_CASE(a_program_brings_options) {
  BOOST_TEST(teamsan("run " BRINGING).status == 66);
  BOOST_TEST(teamsan("run " BRINGING, "BRINGS=kernel_name=right").status == 0);
  // Who starts it has the last word.
  BOOST_TEST(teamsan("run --kernel-name '*' " BRINGING, "BRINGS=kernel_name=right").status == 66);
  BOOST_TEST(teamsan("run " BRINGING, "BRINGS=kernel_name=right TEAMSAN_OPTIONS=kernel_name=r*").status == 66);
  // A mistake in them is not one of TEAMSAN_OPTIONS.
  Result const wrong = teamsan("run " BRINGING, "BRINGS=kernel-name=right");
  BOOST_TEST(wrong.out ==
             "teamsan: teamsan_default_options() of the program: unknown option \"kernel-name\"; the nearest known "
             "one is \"kernel_name\"\n");
  BOOST_TEST(wrong.status == 2);
}

BOOST_AUTO_TEST_CASE(too_little_memory_is_no_crash_of_the_program) {
  Result const result = teamsan("run --memory-limit 16K " CHECKED);
  BOOST_TEST(result.out.find("the memory limit ended the program") != std::string::npos);
  BOOST_TEST(result.out.find("--memory-limit)") != std::string::npos);
  BOOST_TEST(result.status == 3);
  BOOST_TEST(teamsan("run --memory-limit 1G " CHECKED).status == 0);
}

BOOST_AUTO_TEST_CASE(a_choice_of_nothing_is_no_run_that_passes) {
  for (auto const& [choice, sentence] :
       {std::pair("--kernel-name exchnage",
                  "--kernel-name exchnage matches no kernel that ran; the nearest name is \"exchange\""),
        std::pair("--kernel-name-exclude kns=", "--kernel-name-exclude kns= leaves out every kernel that ran"),
        std::pair("--kernel-name exchange --kernel-name-exclude 'ex*'",
                  "--kernel-name exchange, --kernel-name-exclude ex* together leave no kernel that ran"),
        std::pair("--launch-skip 100", "--launch-skip 100 leaves out each of the "),
        std::pair("--team 4000", "--team 4000 is in no league")}) {
    Result const result = teamsan("run " + std::string(choice) + " " CHECKED);
    BOOST_TEST(result.status == 3, choice << " ended with " << result.status);
    std::string text;  // notes are wrapped
    std::unique_copy(result.out.begin(), result.out.end(), std::back_inserter(text),
                     [](char x, char y) { return std::isspace(x) && std::isspace(y); });
    std::ranges::replace(text, '\n', ' ');
    BOOST_TEST(text.find(sentence) != std::string::npos, text);
  }
  BOOST_TEST(teamsan("run --kernel-name 'exch*' --launch-skip 0 --team 3 " CHECKED).status == 0);
}

BOOST_AUTO_TEST_CASE(only_regular_files_are_read) {
  for (char const* command : {"replay", "trace", "explain-finding TS-000000", "merge", "model", "merge r.json --baseline",
                              "merge r.json --suppressions", "compare /dev/zero"})
    for (char const* file : {"/dev/zero", "/"}) {
      if (std::string_view(command) == "merge" && std::string_view(file) == "/") continue;  // all *.json in it
      Result const result = teamsan(std::string(command) + ' ' + file);
      BOOST_TEST((result.status == 2 || result.status == 3), command << ' ' << file << ": " << result.status);
      BOOST_TEST((result.out.find("only regular files are read") != std::string::npos ||
                  result.out.find("it is a directory") != std::string::npos),
                 result.out);
    }
}

BOOST_AUTO_TEST_CASE(merge_opens_no_file_that_a_report_names) {
  std::filesystem::path const folder = std::filesystem::temp_directory_path() / ("teamsan_merge_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder / "src");
  std::ofstream(folder / "src" / "secret.cpp") << "int a_secret;\nint b;\n";
  std::string const name = (folder / "src" / "secret.cpp").string(), report = (folder / "r.json").string();
  std::ofstream(report) << R"({"format": "teamsan-report", "version": 1, "program": {}, "findings": [{"rule": "crash",
    "id": "TS-000001", "kernel": "a\n::error::b", "severity": "error", "title": "t", "sides": [{"access": "write",
    "place": {"file": ")" << name << R"(", "path": ")" << name << R"(", "line": 2}}]}]})";
  std::string const page = (folder / "page.html").string();
  auto const embedded = [&] {
    std::ifstream stream(page);
    std::string const text{std::istreambuf_iterator<char>(stream), {}};
    return text.find("a_secret") != std::string::npos;
  };
  Result const closed = teamsan("merge " + report + " --report html=" + page);
  BOOST_TEST(closed.status == 66);
  BOOST_TEST(closed.out.find("a\\n\\x3a:error::b") == std::string::npos);  // no word begins there
  BOOST_TEST(closed.out.find("\"a\\n::error::b\"") != std::string::npos, closed.out);
  BOOST_TEST(!embedded());
  BOOST_TEST(teamsan("merge " + report + " --sources " + folder.string() + " --report html=" + page).status == 66);
  BOOST_TEST(embedded());
  expect_mistake("merge " + report + " --sources /dev/null",
                 "--sources takes a directory that sources lie in, and \"/dev/null\" is none");
  std::ofstream(report) << R"({"format": "teamsan-report", "version": 1, "program": {}, "findings": [], "traffic":
    [{"kernel": "k", "sites": [{"bytes_per_lane": -1}]}]})";
  Result const negative = teamsan("merge " + report);
  BOOST_TEST(negative.status == 3);
  BOOST_TEST(negative.out.find("its \"bytes_per_lane\" is -1") != std::string::npos, negative.out);
  std::filesystem::remove_all(folder);
}

BOOST_AUTO_TEST_CASE(every_rule_is_explained) {
  std::istringstream list(teamsan("explain --help").out);
  unsigned rules = 0;
  for (std::string line; std::getline(list, line);) {
    if (!line.starts_with("  ") || line[2] == ' ') continue;
    std::string const rule = line.substr(2, line.find(' ', 2) - 2);
    Result const result = teamsan("explain " + rule);
    BOOST_TEST(result.status == 0);
    BOOST_TEST(result.out.starts_with("# " + rule + ":"));
    std::string const off = "-" + rule + "`", comment = "\n    // teamsan: ignore(" + rule + ") ";
    std::string const entry = "\n    " + rule + ":";
    for (std::string const& part : {std::string("\nHow sure it is: "), off, comment, entry})
      BOOST_TEST(result.out.find(part) != std::string::npos, rule << " lacks " << part);
    for (char const* kernel : {"\nBad: ", "\nGood: "}) {
      std::size_t const at = result.out.find(kernel);
      BOOST_REQUIRE_MESSAGE(at != std::string::npos, rule << " lacks " << kernel);
      std::size_t const code = result.out.find("\n\n    ", at);  // after the paragraph that says it
      BOOST_TEST(code != std::string::npos);
      BOOST_TEST(code == result.out.find("\n\n", at), rule << " has no code below " << kernel);
    }
    BOOST_TEST(shape_of(result.out).columns <= 80u);
    ++rules;
  }
  BOOST_TEST(rules >= 13u);
}
