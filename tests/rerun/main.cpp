// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// teamsan_rerun TEAMSAN PROGRAM=SOURCE...
// Runs each PROGRAM as the comments of its SOURCE say (tests/expect) and then, for each of its findings, the command
// that the report gives under "rerun", with the launcher TEAMSAN. Fails unless that run makes a finding of the same id,
// and unless all its findings are of the same kernel.
#include "../expect/Expectations.hpp"
#include "../expect/Run.hpp"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>

#include <unistd.h>

using namespace teamsan::test;
using Json = nlohmann::json;

namespace {

struct TemporaryFile {
  std::filesystem::path path;
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
};

/// Which lane comes first to a static variable, which keys a full map takes, hangs on the order of teams: it is to be the same
/// in both runs, and of several workers those that run unchecked teams are faster.
constexpr char const* one_worker = "num_threads=1";

/// The findings of the JSON report that a run leaves; throws if it leaves none.
Json findings_of(std::vector<std::string> const& command, std::string options, std::string* output = nullptr) {
  TemporaryFile const report{std::filesystem::temp_directory_path() / ("teamsan_rerun." + std::to_string(getpid()))};
  options += (options.empty() ? "report=json=" : ":report=json=") + report.path.string();
  Run const result = run(command, options);
  if (output != nullptr) *output = result.output;
  std::ifstream stream(report.path);
  if (!stream) throw std::runtime_error("a run left no report; it printed: " + result.output);
  return Json::parse(stream).at("findings");
}

/// How many findings were held to it; `wrong` counts those that were not made again.
int check(std::string const& program, std::string const& source, int& wrong) {
  Expectations expectations;
  read_expectations(source, expectations);
  std::vector<std::string> command{program};
  command.insert(command.end(), expectations.arguments.begin(), expectations.arguments.end());
  std::string options = one_worker;
  for (auto const& option : expectations.options) options += ":" + option;

  Json const findings = findings_of(command, options);
  for (Json const& finding : findings) {
    std::string const id = finding.at("id"), kernel = finding.at("kernel"), again = finding.at("rerun");
    std::string output, problem;
    bool found = false;
    for (Json const& other : findings_of({"/bin/sh", "-c", again}, one_worker, &output)) {
      found = found || other.at("id") == id;
      // What a kernel finds unwritten hangs on those before it: their names cannot be left out.
      bool const names_kernel = again.find("--kernel-name") != std::string::npos;
      if (names_kernel && other.at("kernel") != kernel) problem = "a finding of another kernel was made too";
    }
    if (!found) problem = "the finding was not made again";
    if (problem.empty()) continue;
    ++wrong;
    std::cout << output << program << ": " << id << " (" << finding.at("rule").get<std::string>() << "): " << problem
              << " by\n  " << again << '\n';
  }
  if (findings.empty()) throw std::runtime_error(program + " has no finding");
  return static_cast<int>(findings.size());
}

}  // namespace

int main(int argc, char* argv[]) {
  try {
    if (argc < 3) throw std::runtime_error("no program is named");
    std::string const folder = std::filesystem::path(argv[1]).parent_path();
    char const* const path = std::getenv("PATH");
    setenv("PATH", (folder + ":" + (path ? path : "/usr/bin:/bin")).c_str(), 1);
    int wrong = 0, all = 0;
    for (int i = 2; i < argc; ++i) {
      std::string const pair = argv[i];
      std::size_t const equals = pair.find('=');
      if (equals == std::string::npos) throw std::runtime_error("PROGRAM=SOURCE is wanted, not " + pair);
      all += check(pair.substr(0, equals), pair.substr(equals + 1), wrong);
    }
    std::cout << all - wrong << " of " << all << " findings of " << argc - 2 << " programs were made again\n";
    return wrong == 0 ? 0 : 1;
  } catch (std::exception const& mistake) {
    std::cerr << "teamsan_rerun: " << mistake.what() << '\n';
    return 2;
  }
}
