// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random programs on the simulated GPU: right ones must give the oracle's result and no finding; of their
// mutants, those that the oracle calls wrong must be found by the right rule, and nothing else be said. A
// failing program is printed with the command that runs it alone.
#include "Comparison.hpp"
#include "Dice.hpp"
#include "Generator.hpp"
#include "Interpreter.hpp"
#include "Mutation.hpp"
#include "Score.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

using namespace property;

namespace {

struct Wish {
  std::uint64_t seed = 1;
  int count = 1;
  int mutants = 0;       ///< of each program, at most
  int only_mutant = -1;  ///< number in mutations()
  bool portable = false;
  bool chains = false;
  bool print = false;
};

class Session {
 public:
  explicit Session(Wish const& wish) : m_wish(wish) {
    m_choice.sync = wish.portable ? Sync::portable : Sync::cuda;
    if (wish.chains) m_choice.chains = 100;
    m_choice.max_vector_length = longest_vector();
    m_choice.max_scratch0 = most_scratch0();
  }

  void one(std::uint64_t seed) {
    Program const program = generate(seed, m_choice);
    if (m_wish.print) fmt::print("{}", to_string(program));
    Verdict const verdict = judge(program, Sync::cuda);
    if (!verdict.clean()) {
      fail(program, seed,
           "the generator made a wrong program: " + to_string(verdict.certain) + "; " +
               to_string(verdict.possible));
      return;
    }
    m_score.add_program(program);
    Run const run = interpret(program);
    if (!run.found.empty()) fail(program, seed, "false findings: " + to_string(run.found));
    if (std::string const text = difference(program, verdict.result, run.result); !text.empty())
      fail(program, seed, "wrong result: " + text);
    if (m_wish.mutants > 0 || m_wish.only_mutant >= 0) spoil(program, seed);
  }

  Score const& score() const { return m_score; }

 private:
  void spoil(Program const& program, std::uint64_t seed) {
    std::vector<Mutation> const all = mutations(program);
    std::vector<int> order(all.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<int>(k);
    Dice dice(seed ^ 0x5eed);
    for (std::size_t k = order.size(); k > 1; --k)
      std::swap(order[k - 1], order[static_cast<std::size_t>(dice.below(static_cast<int>(k)))]);
    // One of each mistake before the second of any.
    std::vector<int> rank(order.size());
    int seen[mistakes] = {};
    for (int const k : order)
      rank[static_cast<std::size_t>(k)] = seen[static_cast<int>(all[static_cast<std::size_t>(k)].mistake)]++;
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return rank[static_cast<std::size_t>(a)] < rank[static_cast<std::size_t>(b)];
    });
    if (static_cast<int>(order.size()) > m_wish.mutants)
      order.resize(static_cast<std::size_t>(m_wish.mutants));
    if (m_wish.only_mutant >= 0) order = {m_wish.only_mutant};
    for (int const k : order) mutant(program, seed, all.at(static_cast<std::size_t>(k)), k);
  }

  void mutant(Program const& program, std::uint64_t seed, Mutation const& mutation, int number) {
    Program const wrong = mutated(program, mutation);
    Verdict const verdict = judge(wrong, Sync::cuda);
    Run const run = interpret(wrong);
    std::set<Fault> not_found = missed(verdict, run);
    std::set<Fault> const too_many = invented(verdict, run), weakly = found_as_same_value(verdict, run);
    for (Fault const& fault : weakly) not_found.erase(fault);
    m_score.add_mutant(mutation.mistake,
                       {!verdict.certain.empty(), !verdict.possible.empty() || verdict.unsteady,
                        not_found.empty(), !weakly.empty(), !too_many.empty()});
    std::string text;
    if (!not_found.empty()) text += "missed: " + to_string(not_found) + ". ";
    if (!too_many.empty()) text += "false findings: " + to_string(too_many) + ". ";
    if (verdict.clean())
      if (std::string const wrong_result = difference(wrong, verdict.result, run.result);
          !wrong_result.empty())
        text += "wrong result: " + wrong_result + ". ";
    if (text.empty()) return;
    fail(wrong, seed,
         fmt::format("mutant {} ({}): {}Found: {}", number, name(mutation.mistake), text,
                     to_string(run.found)),
         fmt::format(" --mutant {}", number));
  }

  void fail(Program const& program, std::uint64_t seed, std::string const& text,
            std::string const& more = "") {
    m_score.add_failure();
    constexpr int printed = 10;
    fmt::print("FAILED: {}\nrerun: property_suite --seed {}{}{}\n{}\n", text, seed,
               (m_wish.portable ? " --portable" : "") + std::string(m_wish.chains ? " --chains" : ""), more,
               m_score.failures() > printed ? "" : to_string(program));
    std::fflush(stdout);
  }

  Wish const m_wish;
  Choice m_choice;
  Score m_score;
};

}  // namespace

int main(int argc, char** argv) {
  Wish wish;
  CLI::App app("Random Kokkos programs and their mutants under TeamSan.");
  app.add_option("--seed", wish.seed, "of the first program");
  app.add_option("--count", wish.count, "programs");
  app.add_option("--mutants", wish.mutants, "mutants of each program, at most");
  app.add_option("--mutant", wish.only_mutant, "this one alone");
  app.add_flag("--portable", wish.portable, "programs that rely on team_barrier alone");
  app.add_flag("--chains", wish.chains, "teams wait for one another wherever they can");
  app.add_flag("--print", wish.print, "print the programs");
  CLI11_PARSE(app, argc, argv);

  KokkosSession const kokkos;
  Session session(wish);
  for (int k = 0; k < wish.count; ++k) session.one(wish.seed + static_cast<std::uint64_t>(k));
  fmt::print("{}", session.score().text());
  return session.score().passed() ? 0 : 1;
}
