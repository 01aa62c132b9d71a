// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random kernels whose every byte has an oracle: what TeamSan finds must be true, down to the operations' lines, the word and
// the kinds of access, and of each word of which something is true something must be found. A failing case is made as small as
// it goes, and printed with the command that runs it again.
#include "Check.hpp"
#include "Generator.hpp"
#include "Lines.hpp"
#include "Machine.hpp"
#include "Oracle.hpp"
#include "Record.hpp"
#include "Shrink.hpp"
#include "Source.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace property::bytes;

namespace {

struct Wish {
  std::uint64_t seed = 1;
  int count = 100;
  bool team = false;
  bool print = false;
  bool keep = false;  ///< failing cases as they are
  bool part = false;  ///< the process judges a part: nothing is missed
  bool flow = false, locks = false;
  int most_failures = 5;
  std::string save, join, same, write, report;
};

class Run {
 public:
  explicit Run(Wish const& wish)
      : m_wish(wish),
        m_choice{wish.team ? Sort::team : Sort::flat, longest_vector(), &sees_struct, wish.flow, wish.locks, is_portable()} {
    volatile_is_plain = is_portable();
    if (is_portable() && wish.team)
      throw std::runtime_error("the oracle does not know what orders lanes of a team under sync=portable");
    if (wish.locks && !(wish.write.empty() && wish.report.empty()))
      throw std::runtime_error("cases with --locks are no programs of their own");
    if (!wish.join.empty()) m_others = read_record(wish.join);
    if (!wish.same.empty()) m_expected = read_record(wish.same);
  }

  void one(std::uint64_t seed) {
    Case const c = generate(seed, m_choice);
    if (!m_wish.write.empty()) return write(seed, c);
    if (m_wish.print) {
      fmt::print("case {}\n{}", seed, to_string(c));
      std::fflush(stdout);
    }
    Expected const expected = expect(c);
    std::vector<Found> found = m_wish.report.empty() ? run(c) : findings_of_report(m_wish.report, c, source_of(c, seed));
    ++m_cases;
    m_silent += expected.allowed.empty();
    m_demands += expected.demands.size();
    m_findings += found.size();
    m_deals += expected.deals;
    if (!m_wish.save.empty()) m_found[seed] = found;
    if (!m_wish.same.empty() && !alike(found, m_expected[seed])) fail(seed, c, "  other findings than the run before\n");
    auto const& others = m_others[seed];
    found.insert(found.end(), others.begin(), others.end());
    Disagreement const d = judge(c, expected, found);
    if (d.none()) return;
    // What other processes found is of this case alone.
    bool const shrinks = !m_wish.keep && m_wish.join.empty() && m_wish.report.empty();
    constexpr int tries = 300;
    Case const least = shrinks ? shrink(
                                     c, [&](Case const& next) { return !again(next).none(); }, tries)
                               : c;
    fail(seed, least, shrinks ? again(least).text() : d.text());
  }

  void end() const {
    if (!m_wish.save.empty()) write_record(m_wish.save, m_found);
    if (!m_wish.write.empty()) return;
    fmt::print("{} cases, {} of them silent by the oracle; {} accesses, {} findings asked for, {} made; {} failures\n", m_cases,
               m_silent, m_deals, m_demands, m_findings, m_failures);
  }
  bool goes_on() const { return m_failures < m_wish.most_failures; }
  bool passed() const { return m_failures == 0 && m_cases > 0; }

 private:
  void write(std::uint64_t seed, Case const& c) {
    std::string const path = fmt::format("{}/case_{}.cpp", m_wish.write, seed);
    std::ofstream file(path);
    file << source_of(c, seed).text;
    if (!file.flush()) throw std::runtime_error("cannot write " + path);
    ++m_cases;
  }
  Disagreement judge(Case const& c, Expected const& expected, std::vector<Found> const& found) const {
    return m_wish.part ? compare_invented(c, expected, found) : compare(c, expected, found);
  }
  Disagreement again(Case const& c) const { return judge(c, expect(c), run(c)); }

  void fail(std::uint64_t seed, Case const& c, std::string const& text) {
    ++m_failures;
    char const* const options = std::getenv("TEAMSAN_OPTIONS");
    std::string const sorts = std::string(m_wish.team ? "--team " : "") + (m_wish.flow ? "--flow " : "") +
                              (m_wish.locks ? "--locks " : "");
    fmt::print("FAILED: case {}\n{}{}rerun: TEAMSAN_OPTIONS={} bytes_suite {}--seed {} --count 1\n", seed, to_string(c), text,
               options != nullptr ? options : "", sorts, seed);
    std::fflush(stdout);
  }

  Wish const& m_wish;
  Choice m_choice;
  Record m_found, m_others, m_expected;
  std::uint64_t m_cases = 0, m_silent = 0, m_demands = 0, m_findings = 0, m_deals = 0;
  int m_failures = 0;
};

}  // namespace

int main(int argc, char** argv) {
  Wish wish;
  CLI::App app("Random kernels with an oracle for each byte, under TeamSan.");
  app.add_option("--seed", wish.seed, "of the first case");
  app.add_option("--count", wish.count, "cases");
  app.add_flag("--team", wish.team, "team kernels; otherwise ranges");
  app.add_flag("--flow", wish.flow, "some lanes fence, and some lanes of ranges throw");
  app.add_flag("--locks", wish.locks, "some operations are atomics of 24 bytes, which Kokkos makes under locks");
  app.add_flag("--print", wish.print, "print the cases");
  app.add_flag("--keep", wish.keep, "do not make failing cases smaller");
  app.add_flag("--part", wish.part, "what is missed is no failure: the process judges a part (shard=1/2)");
  app.add_option("--save", wish.save, "write what was found to a file");
  app.add_option("--join", wish.join, "add what other shards found, of that file");
  app.add_option("--same", wish.same, "fail where other things were found than in the run that saved that file");
  app.add_option("--write", wish.write, "run nothing, and write each case as a program into that folder");
  app.add_option("--report", wish.report, "run nothing, and judge that program's JSON report");
  app.add_option("--most-failures", wish.most_failures, "end after so many");
  CLI11_PARSE(app, argc, argv);

  Session const session;
  try {
    Run run(wish);
    for (int n = 0; n < wish.count && run.goes_on(); ++n) run.one(wish.seed + static_cast<std::uint64_t>(n));
    run.end();
    return run.passed() ? 0 : 1;
  } catch (std::exception const& error) {
    fmt::print(stderr, "bytes_suite: {}\n", error.what());
    return 2;
  }
}
