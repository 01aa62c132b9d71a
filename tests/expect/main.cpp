// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// teamsan_expect [--source FILE] [--ids CASE=FILE] [--finding RULE=FILE:LINE] [--output REGEX] [--exit STATUS]
//                [--option KEY=VALUE]... -- PROGRAM [ARG...]
// TEAMSAN_EXPECT_OPTIONS of the environment come before all others; with them ids, which may be others then, are not asked.
// Runs PROGRAM and fails unless TeamSan finds in it exactly what is expected, it prints what it should, and it ends as
// it should. A run that leaves no report fails too: a program that TeamSan never saw must not pass. So does one of our own
// sources that takes more memory than TeamSan promises (sim/README.md): they touch a few megabytes of device memory at most.
#include "Expectations.hpp"
#include "Run.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <regex>
#include <stdexcept>
#include <thread>

#include <unistd.h>

using namespace teamsan::test;

namespace {

struct TemporaryFile {
  std::filesystem::path path = std::filesystem::temp_directory_path() /
                               ("teamsan_expect." + std::to_string(getpid()));
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
};

int check(int argc, char* argv[]) {
  Expectations expectations;
  std::vector<std::string> command;
  bool ours = false;
  char const* const of_all = std::getenv("TEAMSAN_EXPECT_OPTIONS");
  if (of_all != nullptr) expectations.options.push_back(of_all);
  for (int i = 1; i < argc; ++i) {
    std::string const flag = argv[i];
    if (flag == "--") {
      command.assign(argv + i + 1, argv + argc);
      break;
    }
    if (++i == argc) throw std::runtime_error(flag + " needs a value");
    if (flag == "--source") {
      read_expectations(argv[i], expectations);
      ours = true;
    } else if (flag == "--ids") {
      if (of_all == nullptr) read_ids(argv[i], expectations);
    } else if (flag == "--finding") {
      expectations.findings.push_back(parse_expected(argv[i]));
    } else if (flag == "--output") {
      expectations.outputs.push_back(argv[i]);
    } else if (flag == "--exit") {
      expectations.exit_status = std::stoi(argv[i]);
    } else if (flag == "--option") {
      expectations.options.push_back(argv[i]);
    } else {
      throw std::runtime_error("unknown option " + flag);
    }
  }
  if (command.empty()) throw std::runtime_error("no program is named");
  command.insert(command.end(), expectations.arguments.begin(), expectations.arguments.end());

  TemporaryFile const report;
  std::string options = "report=tsv=" + report.path.string();
  for (auto const& option : expectations.options) options += ":" + option;
  Run const result = run(command, options);

  std::vector<std::string> wrong;
  std::vector<Found> found;
  bool error = false;
  if (std::ifstream lines(report.path); lines) {
    for (std::string line; std::getline(lines, line);) {
      found.push_back(parse_found(line));
      error = error || found.back().severity == "error";
    }
    wrong = compare(expectations, found);
  } else {
    wrong.push_back("the run left no report: was the program compiled for checking?");
  }
  int const status = expectations.exit_status.value_or(error ? 66 : 0);
  if (result.status != status) {
    wrong.push_back("exit status " + std::to_string(result.status) + " instead of " + std::to_string(status));
  }
  std::size_t const most = 200'000'000 + 2'000'000 * std::size_t{std::thread::hardware_concurrency()};
  if (ours && result.peak > most)
    wrong.push_back("it took " + std::to_string(result.peak / 1'000'000) + " MB instead of " +
                    std::to_string(most / 1'000'000) + " at most");
  for (auto const& pattern : expectations.outputs) {
    if (!std::regex_search(result.output, std::regex(pattern))) wrong.push_back("nothing printed matches: " + pattern);
  }

  if (wrong.empty()) {
    std::cout << "as expected: " << found.size() << " findings, exit status " << result.status << '\n';
    return 0;
  }
  constexpr std::size_t shown = 20000;
  if (result.output.size() > shown) std::cout << "[...]\n";
  std::cout << result.output.substr(result.output.size() > shown ? result.output.size() - shown : 0) << '\n';
  for (auto const& each : wrong) std::cout << "teamsan_expect: " << each << '\n';
  std::cout << "teamsan_expect: run with TEAMSAN_OPTIONS='" << options << "'\n";
  return 1;
}

}  // namespace

int main(int argc, char* argv[]) {
  try {
    return check(argc, argv);
  } catch (std::exception const& mistake) {
    std::cerr << "teamsan_expect: " << mistake.what() << '\n';
    return 2;
  }
}
