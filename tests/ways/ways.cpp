// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every program of tests/kernels by default, with flat=0, in two shards that are joined, and with two workers: the same
/// findings with the same ids, lines and kinds of access, and the same figures, where they are not lower bounds. WAYS_EVERY=N
/// takes every N-th program, WAYS_ONLY=TEXT those that have it in their names.
#include "../../sim/report/Join.hpp"
#include "../../sim/report/JsonReader.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <sys/wait.h>
#include <vector>

using namespace teamsan;

namespace {

struct Program {
  std::string path, options, arguments;
};

/// What a directive of the source says: "// OPTIONS: sync=portable".
std::string directive(std::string const& source, std::string const& name) {
  std::ifstream file(source);
  for (std::string line; std::getline(file, line);)
    if (std::size_t const at = line.find("// " + name + ": "); at != std::string::npos)
      return line.substr(at + name.size() + 5);
  return {};
}

std::vector<Program> programs() {
  char const* const every = std::getenv("WAYS_EVERY");
  char const* const only = std::getenv("WAYS_ONLY");
  std::vector<std::string> names;
  for (auto const& rule : std::filesystem::directory_iterator(SOURCES))
    if (rule.is_directory())
      for (auto const& file : std::filesystem::directory_iterator(rule.path()))
        if (file.path().extension() == ".cpp")
          names.push_back(rule.path().filename().string() + "/" + file.path().stem().string());
  std::sort(names.begin(), names.end());
  std::vector<Program> programs;
  std::size_t const step = every != nullptr ? std::max(std::atoi(every), 1) : 1;
  for (std::size_t i = 0; i < names.size(); i += only != nullptr ? 1 : step) {
    std::string program = names[i];
    program.replace(program.find('/'), 1, "_");
    std::string const path = KERNELS "/kernel_" + program, source = SOURCES "/" + names[i] + ".cpp";
    if (!std::filesystem::exists(path) || (only != nullptr && path.find(only) == std::string::npos)) continue;
    std::string options = directive(source, "OPTIONS");
    std::replace(options.begin(), options.end(), ' ', ':');
    programs.push_back({path, options, directive(source, "ARGUMENTS")});
  }
  return programs;
}

struct Figures {
  std::uint64_t count, teams;
  bool count_at_least, teams_at_least, on_team_order;
  std::string kernel;
};
using Found = std::map<std::string, Figures>;

Found summary(Report const& report) {
  Found found;
  for (ReportedFinding const& f : report.findings) {
    std::vector<std::string> sides;
    for (ReportedSide const& side : f.sides) {
      // Of an atomic that reads and writes, either part may be told.
      AccessKind const kind = is_atomic(side.side.access) ? AccessKind::atomic_write : side.side.access;
      sides.push_back(fmt::format("{} {}:{}", static_cast<int>(kind), side.trail.place.file, side.trail.place.line));
    }
    std::sort(sides.begin(), sides.end());
    found[fmt::format("{} {} {} \"{}\" \"{}\" {}", f.id, rule_id(f.finding.rule), severity_name(f.finding.severity),
                      f.finding.kernel, f.finding.data.label, fmt::join(sides, ", "))] = {
        f.finding.count, f.finding.teams, f.finding.count_at_least || f.finding.on_team_order,
        f.finding.teams_at_least || f.finding.on_team_order};  // what a team does may hang on who comes first
  }
  return found;
}

Report run(Program const& program, std::string const& way) {
  std::string const file = WORK "/report.json";
  std::filesystem::remove(file);
  std::string const options =
      fmt::format("spin_limit=100000000:{}{}{}:report=json={}", way, program.options.empty() ? "" : ":", program.options, file);
  ::setenv("TEAMSAN_OPTIONS", options.c_str(), 1);
  std::string const command = fmt::format("'{}' {} >{}/out.txt 2>&1", program.path, program.arguments, WORK);
  int const status = std::system(command.c_str());
  BOOST_REQUIRE_MESSAGE(WIFEXITED(status), program.path);
  BOOST_REQUIRE_MESSAGE(std::filesystem::exists(file), options << ' ' << program.path << " writes no report");
  return read_json_report_file(file);
}

/// Could the two be one figure?
bool agree(std::uint64_t a, bool a_at_least, std::uint64_t b, bool b_at_least) {
  return a == b || (a_at_least && b_at_least) || (a_at_least && a < b) || (b_at_least && b < a);
}

/// What ends a program early, or hangs on who comes first, is the same finding but not as often, and another may come first.
bool ends_early(Report const& report, std::string const& path) {
  return report.program.crashed || path.find("_deadlock_") != std::string::npos || path.find("_crash_") != std::string::npos;
}

void compare(Found const& usual, Found const& other, std::string const& way, bool figures) {
  BOOST_TEST_CONTEXT(way) {
    for (auto const& [finding, f] : usual) {
      auto const there = other.find(finding);
      BOOST_TEST((there != other.end()), "not found: " << finding);
      if (there == other.end() || !figures) continue;
      Figures const& o = there->second;
      BOOST_TEST(agree(f.count, f.count_at_least, o.count, o.count_at_least),
                 finding << ": found " << f.count << " times, and " << o.count);
      BOOST_TEST(agree(f.teams, f.teams_at_least, o.teams, o.teams_at_least),
                 finding << ": in " << f.teams << " teams, and " << o.teams);
    }
    for (auto const& [finding, f] : other) BOOST_TEST(usual.contains(finding), "found too: " << finding);
  }
}

/// What two shards find, together.
Found by_shards(Program const& program) {
  std::vector<Report> shards;
  for (char const* const shard : {"num_threads=1:shard=1/2", "num_threads=1:shard=2/2"}) shards.push_back(run(program, shard));
  return summary(join_reports(shards));
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_ways_find_the_same) {
  std::vector<Program> const all = programs();
  BOOST_TEST(!all.empty());
  for (Program const& program : all) {
    BOOST_TEST_CONTEXT(program.path) {
      Report const usual = run(program, "num_threads=1");
      bool const figures = !ends_early(usual, program.path);
      Found const expected = summary(usual);
      for (char const* const way : {"num_threads=1:flat=0", "num_threads=2"})
        compare(expected, summary(run(program, way)), way, figures);
      // The machine model counts what a shard's own teams do.
      if (program.options.find("shard=") != std::string::npos || program.options.find("check=all,") != std::string::npos)
        continue;
      compare(expected, by_shards(program), "shard=1/2 and 2/2", figures);
    }
  }
}

/// Of ranges.cpp: do its iterations fence, which orders them if one's atomic came behind another's; or make updates that
/// replace something or not? With several workers that hangs on who comes first (soundness.md).
bool hangs_on_order(std::string const& kernel) {
  constexpr bool with_fences_or_maxima[] = {false, true, false, true, true};
  if (!kernel.starts_with("range")) return false;
  return with_fences_or_maxima[std::stoul(kernel.substr(5)) / 2 % std::size(with_fences_or_maxima)];
}

/// Of those that hang on it all that one run alone tells says so; of others it is the same.
void compare_workers(Found usual, Found other, std::string const& way) {
  for (auto* const found : {&usual, &other})
    for (auto const& [finding, f] : *found)
      if (hangs_on_order(f.kernel) && !(found == &usual ? other : usual).contains(finding))
        BOOST_TEST(f.on_team_order, way << ": " << finding << " hangs on the order and does not say so");
  auto const drop = [](Found& found) { std::erase_if(found, [](auto const& f) { return hangs_on_order(f.second.kernel); }); };
  drop(usual), drop(other);
  BOOST_TEST(usual.size() > 30u);
  compare(usual, other, way, true);
}

/// The Views on which lanes race, with their kernels. `all`: also of those that hang on the order.
std::set<std::string> raced_views(Report const& report, bool all = true) {
  std::set<std::string> views;
  for (ReportedFinding const& f : report.findings)
    if ((f.finding.rule == Rule::global_race || f.finding.rule == Rule::unfenced_handover) &&
        (all || !hangs_on_order(f.finding.kernel)))
      views.insert(f.finding.kernel + ' ' + f.finding.data.label);
  return views;
}

/// What lanes of a range do to a word by many lines, which no program of tests/kernels does: neither shards nor workers change
/// what is told, whether the first block comes there or not. Judged team by team, another of a lane's lines may be told, and as
/// many words race.
BOOST_AUTO_TEST_CASE(ranges_by_shards_and_workers) {
  char const* const seeds = std::getenv("WAYS_SEEDS");
  Program const program{RANGES, "", seeds != nullptr ? seeds : "1 150"};
  Report const usual = run(program, "num_threads=1");
  Found const expected = summary(usual);
  BOOST_TEST(expected.size() > 100u);
  BOOST_TEST(raced_views(usual) == raced_views(run(program, "num_threads=1:flat=0")), boost::test_tools::per_element());
  compare_workers(expected, summary(run(program, "num_threads=2")), "num_threads=2");
  compare(expected, by_shards(program), "shard=1/2 and 2/2", true);
}

/// A kernel that is launched again is judged by what is known of it: of faults that only the first, or only the last of two and
/// of three launches has as many words are told as of one launch, in every way.
BOOST_AUTO_TEST_CASE(ranges_launched_again) {
  char const* const groups = std::getenv("WAYS_GROUPS");
  int const count = groups != nullptr ? std::atoi(groups) : 2;
  std::size_t found = 0;
  for (int group = 0; group != count; ++group) {
    std::string const seeds = fmt::format("{} 8", 1000 + 8 * group);
    Report const usual = run({RANGES, "", seeds + " 1 0"}, "num_threads=1");
    std::set<std::string> const once = raced_views(usual);
    found += once.size();
    for (char const* const launches : {"2 0", "2 1", "3 0", "3 2"})
      BOOST_TEST_CONTEXT(seeds << ' ' << launches) {
        Program const program{RANGES, "", seeds + ' ' + launches};
        for (char const* const way : {"num_threads=1", "num_threads=1:flat=0"})
          BOOST_TEST_CONTEXT(way) BOOST_TEST(raced_views(run(program, way)) == once, boost::test_tools::per_element());
        BOOST_TEST_CONTEXT("num_threads=2")
        BOOST_TEST(raced_views(run(program, "num_threads=2"), false) == raced_views(usual, false),
                   boost::test_tools::per_element());
        std::set<std::string> by_shards;
        for (char const* const shard : {"num_threads=1:shard=1/2", "num_threads=1:shard=2/2"})
          by_shards.merge(raced_views(run(program, shard)));
        BOOST_TEST(by_shards == once, boost::test_tools::per_element());
      }
  }
  BOOST_TEST(found > 0u);
}
