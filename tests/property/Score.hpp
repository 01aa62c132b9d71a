// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Counts what became of programs and their mutants, and says it.
#pragma once

#include "Mutation.hpp"
#include "Program.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace property {

class Score {
 public:
  void add_program(Program const& program);
  struct Mutant {
    bool wrong, doubtful;  ///< the oracle's
    bool found, as_same_value, false_findings;
  };
  void add_mutant(Mistake mistake, Mutant const& mutant);
  void add_failure() { ++m_failures; }
  bool passed() const { return m_failures == 0; }
  int failures() const { return m_failures; }
  std::string text() const;

 private:
  struct Line {
    int made = 0, wrong = 0, found = 0, as_same_value = 0, doubtful = 0, right = 0, false_findings = 0;
  };
  void count(std::vector<Statement> const& body);
  std::array<int, kinds> m_constructs{};
  std::array<int, reductions> m_reductions{};
  std::array<Line, mistakes> m_lines{};
  int m_programs = 0, m_kernels = 0, m_chains = 0, m_failures = 0, m_mutants = 0;
  std::uint64_t m_teams = 0, m_lanes = 0;
};

}  // namespace property
