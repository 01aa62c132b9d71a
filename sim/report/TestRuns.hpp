// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Of a joined report: which tests, and which ranks of them, made a finding; and the other way round, what each test found.
#pragma once

#include "Report.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace teamsan {

/// "halo_exchange (ranks 0-2, 5), solve"; at most so many tests by name, the rest counted. Empty: the report is of one run.
std::string runs_line(ReportedFinding const& found, ProgramFacts const& program, std::size_t most = 8);

/// A test with what it found.
struct TestIndex {
  std::string test;
  std::string ranks;  ///< "ranks 0-3"; empty: it is no MPI program
  std::vector<std::size_t> findings;  ///< in the order of the report
};

/// All tests of a joined report, in the order of their runs; empty: it is of one run.
std::vector<TestIndex> index_by_test(Report const& report);

/// The same as lines of a text: tests with findings and their ids, and how many tests have none.
std::string test_table(Report const& report);

}  // namespace teamsan
