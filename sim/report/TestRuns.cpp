// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TestRuns.hpp"

#include "../findings/TextLayout.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <set>

namespace teamsan {
namespace {

/// "rank 3", "ranks 0-2, 5"; empty without any.
std::string ranks_text(std::vector<std::string> const& ranks) {
  std::set<unsigned> numbers;
  std::vector<std::string> parts;
  for (std::string const& rank : ranks) {
    unsigned number = 0;
    auto const [end, error] = std::from_chars(rank.data(), rank.data() + rank.size(), number);
    if (rank.empty()) continue;
    if (error == std::errc() && end == rank.data() + rank.size())
      numbers.insert(number);
    else
      parts.push_back(rank);
  }
  std::size_t const several = numbers.size() + parts.size();
  for (auto it = numbers.begin(); it != numbers.end();) {
    unsigned const first = *it;
    unsigned last = first;
    while (++it != numbers.end() && *it == last + 1) ++last;
    parts.push_back(first == last ? std::to_string(first) : fmt::format("{}-{}", first, last));
  }
  return parts.empty() ? "" : fmt::format("{} {}", several == 1 ? "rank" : "ranks", fmt::join(parts, ", "));
}

struct RanksOfTest {
  std::string test;
  std::vector<std::string> ranks;
};

template <class Runs>
std::vector<RanksOfTest> by_test(Runs const& runs, ProgramFacts const& program) {
  std::vector<RanksOfTest> tests;
  for (std::uint32_t const run : runs) {
    if (run >= program.runs.size()) continue;
    TestRun const& of = program.runs[run];
    auto it = std::ranges::find(tests, of.test, &RanksOfTest::test);
    if (it == tests.end()) it = tests.insert(tests.end(), {of.test, {}});
    it->ranks.push_back(of.rank);
  }
  return tests;
}

}  // namespace

std::string runs_line(ReportedFinding const& found, ProgramFacts const& program, std::size_t most) {
  std::vector<std::string> parts;
  std::vector<RanksOfTest> const tests = by_test(found.runs, program);
  for (std::size_t i = 0; i < std::min(most, tests.size()); ++i) {
    std::string const ranks = ranks_text(tests[i].ranks);
    parts.push_back(ranks.empty() ? tests[i].test : fmt::format("{} ({})", tests[i].test, ranks));
  }
  if (tests.size() > most) parts.push_back(counted(tests.size() - most, "more test"));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<TestIndex> index_by_test(Report const& report) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t run = 0; run != report.program.runs.size(); ++run) all.push_back(run);
  std::vector<TestIndex> index;
  for (RanksOfTest const& test : by_test(all, report.program)) index.push_back({test.test, ranks_text(test.ranks), {}});
  for (std::size_t i = 0; i != report.findings.size(); ++i)
    for (RanksOfTest const& test : by_test(report.findings[i].runs, report.program))
      std::ranges::find(index, test.test, &TestIndex::test)->findings.push_back(i);
  return index;
}

std::string test_table(Report const& report) {
  std::vector<TestIndex> const index = index_by_test(report);
  auto const clean = static_cast<std::uint64_t>(
      std::ranges::count_if(index, [](TestIndex const& test) { return test.findings.empty(); }));
  if (index.empty() || clean == index.size()) return {};
  std::string text = "==== teamsan: by test ====\n";
  for (TestIndex const& test : index) {
    if (test.findings.empty()) continue;
    std::vector<std::string> ids;
    for (std::size_t const i : test.findings) ids.push_back(report.findings[i].id);
    std::string const name = test.ranks.empty() ? test.test : fmt::format("{} ({})", test.test, test.ranks);
    text += ' ' + wrapped(fmt::format("{}: {}", name, fmt::join(ids, " "))) + '\n';
  }
  if (clean != 0) text += fmt::format(" {} without findings\n", counted(clean, "other test"));
  return text + '\n';
}

}  // namespace teamsan
