/// Every command and every mistake as a shell sees them: status, standard output, standard error.
#include <boost/test/unit_test.hpp>

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace {

struct Result {
  int status;
  std::string out;  ///< standard output and standard error, as they came
};

/// The command's words after `teamsan`, as a shell takes them.
Result teamsan(std::string const& words, std::string const& environment = "") {
  std::string const command = "env -u TEAMSAN_OPTIONS " + environment + " " TEAMSAN " " + words + " 2>&1";
  std::FILE* pipe = popen(command.c_str(), "r");
  BOOST_REQUIRE(pipe != nullptr);
  Result result{0, {}};
  std::array<char, 4096> buffer;
  for (std::size_t n; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    result.out.append(buffer.data(), n);
  int const raw = pclose(pipe);
  result.status = WIFEXITED(raw) ? WEXITSTATUS(raw) : -1;
  return result;
}

void expect_mistake(std::string const& words, std::string const& sentence) {
  Result const result = teamsan(words);
  BOOST_TEST(result.out == "teamsan: " + sentence + "\n");
  BOOST_TEST(result.status == 2);
}

struct Shape {
  std::size_t lines = 0, columns = 0;
};

Shape shape_of(std::string const& text) {
  Shape shape;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line); ++shape.lines)
    shape.columns = std::max(shape.columns, line.size());
  return shape;
}

}  // namespace

BOOST_AUTO_TEST_CASE(version_and_help) {
  Result const version = teamsan("--version");
  BOOST_TEST(version.out.starts_with("teamsan 0."));
  BOOST_TEST(version.status == 0);
  for (char const* words : {"--help", "run --help", "devices --help", "explain --help"}) {
    Result const help = teamsan(words);
    BOOST_TEST(help.status == 0);
    BOOST_TEST(help.out.find("Usage: teamsan") != std::string::npos);
    BOOST_TEST(shape_of(help.out).lines <= 40u);
    BOOST_TEST(shape_of(help.out).columns <= 80u);
  }
  Result const nothing = teamsan("");
  BOOST_TEST(nothing.status == 2);
  BOOST_TEST(nothing.out.find("Usage: teamsan COMMAND") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(mistakes_are_one_sentence) {
  expect_mistake("rnu ./app", "unknown command \"rnu\"; the nearest known one is \"run\"");
  expect_mistake("--versoin", "unknown option --versoin; the nearest known one is --version");
  expect_mistake("run --devcie h100 ./app", "unknown option --devcie; the nearest known one is --device");
  expect_mistake("run --devcie=h100 ./app", "unknown option --devcie; the nearest known one is --device");
  expect_mistake("run --check rase " MARKED, "unknown check \"rase\"; the nearest known one is \"race\"");
  expect_mistake("run --device h10 " MARKED,
                 "unknown device \"h10\"; the nearest known one is \"h100\"; `teamsan devices` lists all");
  expect_mistake("run --seed x " MARKED, "seed=x is not understood; seed takes a whole number");
  expect_mistake("run", "run needs a program: teamsan run [options] [--] app args...");
  expect_mistake("run --seed", "--seed: 1 required TEXT missing");
  expect_mistake("devices h100", "devices does not take \"h100\"");
  expect_mistake("explain scratch-rcae",
                 "unknown rule \"scratch-rcae\"; the nearest known one is \"scratch-race\"");
  expect_mistake("explain", "explain needs a rule: teamsan explain RULE (teamsan explain --help lists them)");
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
      "run --device a100 --seed=4 --quick --tool racecheck --kernel-regex 'ns::f*' "
      "--report text=a --report lines=b --summary=0 -- " MARKED " --seed 9 -x 'a b'");
  BOOST_TEST(result.out ==
             "options [check=racecheck:device=a100:seed=4:kernel_name=\"ns::f*\":quick=1:report=text=a:"
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
  Result const wrong = teamsan("run --seed 4 " MARKED, "TEAMSAN_OPTIONS=sede=3");
  BOOST_TEST(wrong.out ==
             "teamsan: unknown option \"sede\" in TEAMSAN_OPTIONS; the nearest known one is \"seed\"\n");
  BOOST_TEST(wrong.status == 2);
}

BOOST_AUTO_TEST_CASE(too_little_memory_is_no_crash_of_the_program) {
  Result const result = teamsan("run --memory-limit 16K " CHECKED);
  BOOST_TEST(result.out.find("asks for") != std::string::npos);
  BOOST_TEST(result.out.find("or memory_limit=BYTES to allow more") != std::string::npos);
  BOOST_TEST(result.status == 3);
  BOOST_TEST(teamsan("run --memory-limit 16M " CHECKED).status == 0);
}

BOOST_AUTO_TEST_CASE(devices) {
  Result const result = teamsan("devices");
  BOOST_TEST(result.status == 0);
  BOOST_TEST(result.out.find("\nh100 ") != std::string::npos);
  BOOST_TEST(shape_of(result.out).columns <= 80u);
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
    for (char const* part : {"\nBad: ", "\nGood: ", "\nHow sure it is: ", "-"})
      BOOST_TEST(result.out.find(part) != std::string::npos, rule << " lacks" << part);
    BOOST_TEST(shape_of(result.out).columns <= 80u);
    ++rules;
  }
  BOOST_TEST(rules >= 13u);
}
