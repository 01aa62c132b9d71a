// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every program of tests/kernels, whole and in three shards: the findings of the shards, joined, are those of the whole,
/// with the same counts. SHARDS_EVERY=N in the environment: every Nth of them.
#include "../../sim/report/Join.hpp"
#include "../../sim/report/JsonReader.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <sys/wait.h>
#include <vector>

using namespace teamsan;

namespace {

std::vector<std::string> programs() {
  std::vector<std::string> paths;
  for (auto const& entry : std::filesystem::directory_iterator(KERNELS))
    if (entry.is_regular_file() && entry.path().filename().string().starts_with("kernel_") &&
        entry.path().extension().empty())
      paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  char const* const every = std::getenv("SHARDS_EVERY");
  std::size_t const step = every != nullptr ? std::max(std::atoi(every), 1) : 1;
  std::vector<std::string> chosen;
  // A kernel and its twin follow each other: now the one is chosen and now the other, wherever the list begins.
  for (std::size_t i = 0; i < paths.size(); i += step)
    chosen.push_back(paths[std::min(i + (step == 1 ? 0 : i / step % 2), paths.size() - 1)]);
  return chosen;
}

/// Findings of one line, kernel and data, with their counts. (A team that has a finding in two blocks counts in two shards.)
std::set<std::string> summary(Report const& report, bool with_counts) {
  std::set<std::string> lines;
  for (ReportedFinding const& found : report.findings) {
    std::vector<std::string> places;
    for (ReportedSide const& side : found.sides)
      places.push_back(fmt::format("{}:{}", side.trail.place.file, side.trail.place.line));
    std::sort(places.begin(), places.end());
    lines.insert(fmt::format("{} {} \"{}\" {} {}{}", rule_id(found.finding.rule), severity_name(found.finding.severity),
                             found.finding.kernel, found.finding.data.label, fmt::join(places, " "),
                             with_counts ? fmt::format(" x{}", found.finding.count) : ""));
  }
  return lines;
}

Report run(std::string const& program, std::string const& shard) {
  std::string const file = WORK "/report.json";
  std::filesystem::remove(file);
  std::string const options = fmt::format("TEAMSAN_OPTIONS=num_threads=1:spin_limit=1000000:flat=0:report=json={}{}", file,
                                          shard.empty() ? "" : ":shard=" + shard);
  int const status = std::system(fmt::format("{} '{}' >{}/out.txt 2>&1", options, program, WORK).c_str());
  BOOST_REQUIRE_MESSAGE(WIFEXITED(status), program);
  return read_json_report_file(file);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_union_of_the_shards_is_the_whole) {
  std::size_t with_findings = 0;
  std::vector<std::string> const chosen = programs();
  for (std::string const& program : chosen) {
    BOOST_TEST_CONTEXT(program) {
      Report const whole = run(program, "");
      if (whole.findings.empty()) continue;
      ++with_findings;
      std::vector<Report> shards;
      for (char const* shard : {"1/3", "2/3", "3/3"}) shards.push_back(run(program, shard));
      Report const sum = join_reports(shards);
      // What ends a program early, or hangs on who comes first, is the same finding but not as often.
      // Of a launch before the first instance was made a word has one access, each shard's own.
      bool const counted = !whole.program.crashed && program.find("_deadlock_") == std::string::npos &&
                           program.find("_instance_made_between") == std::string::npos;
      BOOST_TEST(summary(sum, counted) == summary(whole, counted), boost::test_tools::per_element());
      BOOST_TEST(sum.program.launches == whole.program.launches);
    }
  }
  BOOST_TEST(with_findings > chosen.size() / 5);
  BOOST_TEST(chosen.size() > 100u);
}

BOOST_AUTO_TEST_CASE(shards_share_the_work) {
  // Teams take turns and addresses are spread: no shard of a race in every team has all of it.
  std::string const program = KERNELS "/kernel_scratch-race_neighbour_exchange";
  BOOST_REQUIRE_MESSAGE(std::filesystem::exists(program), program);
  Report const whole = run(program, "");
  BOOST_REQUIRE(!whole.findings.empty());
  Report const first = run(program, "1/2");
  BOOST_REQUIRE(!first.findings.empty());
  BOOST_TEST(first.findings.front().finding.teams * 2 == whole.findings.front().finding.teams);
}
