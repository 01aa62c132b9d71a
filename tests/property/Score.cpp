// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Score.hpp"

#include <fmt/format.h>

#include <iterator>

namespace property {

void Score::count(std::vector<Statement> const& body) {
  for (Statement const& s : body) {
    ++m_constructs[static_cast<std::size_t>(s.kind)];
    bool const with_reducer = s.kind == Kind::team_thread_reduce || s.kind == Kind::team_vector_reduce ||
                              s.kind == Kind::team_reduce || s.kind == Kind::thread_vector_reduce ||
                              s.kind == Kind::vector_reduce || s.kind == Kind::range_reduce ||
                              s.kind == Kind::md_range_reduce;
    if (with_reducer) ++m_reductions[static_cast<std::size_t>(s.reduction)];
    count(s.body);
  }
}

void Score::add_program(Program const& program) {
  ++m_programs;
  for (Kernel const& kernel : program.kernels) {
    ++m_kernels;
    m_chains += kernel.chain != Chain::none;
    if (kernel.team) m_teams += static_cast<std::uint64_t>(kernel.league);
    if (kernel.team)
      m_lanes += static_cast<std::uint64_t>(kernel.league) *
                 static_cast<std::uint64_t>(kernel.team_size * kernel.vector_length);
    count(kernel.body);
  }
}

void Score::add_mutant(Mistake mistake, Mutant const& mutant) {
  Line& line = m_lines[static_cast<std::size_t>(mistake)];
  ++m_mutants;
  ++line.made;
  line.wrong += mutant.wrong;
  line.found += mutant.wrong && mutant.found;
  line.as_same_value += mutant.wrong && mutant.found && mutant.as_same_value;
  line.doubtful += !mutant.wrong && mutant.doubtful;
  line.right += !mutant.wrong && !mutant.doubtful;
  line.false_findings += mutant.false_findings;
}

std::string Score::text() const {
  std::string text =
      fmt::format("{} programs, {} kernels ({} of teams in a chain), {} teams, {} lanes; {} failed\n",
                  m_programs, m_kernels, m_chains, m_teams, m_lanes, m_failures);
  auto const to = std::back_inserter(text);
  text += "constructs:";
  for (std::size_t k = 0; k < m_constructs.size(); ++k)
    fmt::format_to(to, "{} {} {}", k ? "," : "", m_constructs[k], name(static_cast<Kind>(k)));
  text += "\nreducers:";
  for (std::size_t k = 0; k < m_reductions.size(); ++k)
    fmt::format_to(to, "{} {} {}", k ? "," : "", m_reductions[k], name(static_cast<Reduction>(k)));
  text += '\n';
  if (m_mutants == 0) return text;
  fmt::format_to(to, "{:28} {:>7} {:>7} {:>7} {:>9} {:>7} {:>15}\n", "mutants", "made", "wrong", "found",
                 "undecided", "right", "false findings");
  Line sum;
  auto const print = [&](char const* what, Line const& l) {
    fmt::format_to(to, "{:28} {:>7} {:>7} {:>7} {:>9} {:>7} {:>15}\n", what, l.made, l.wrong, l.found,
                   l.doubtful, l.right, l.false_findings);
  };
  for (int m = 0; m < mistakes; ++m) {
    Line const& l = m_lines[static_cast<std::size_t>(m)];
    print(name(static_cast<Mistake>(m)), l);
    sum.made += l.made;
    sum.wrong += l.wrong;
    sum.found += l.found;
    sum.as_same_value += l.as_same_value;
    sum.doubtful += l.doubtful;
    sum.right += l.right;
    sum.false_findings += l.false_findings;
  }
  print("all", sum);
  fmt::format_to(
      to,
      "score: {} of {} mutants that are wrong by construction found ({} of them as same-value), {} false "
      "findings\n",
      sum.found, sum.wrong, sum.as_same_value, sum.false_findings);
  return text;
}

}  // namespace property
