// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The report that a person reads, as text of at most 100 columns, or as wide as a narrower terminal (a command to copy
/// and a source path may be longer; see TerminalWidth).
#pragma once

#include "Report.hpp"

#include <cstddef>
#include <string>
#include <unordered_set>
#include <vector>

namespace teamsan {

struct TextStyle {
  bool color = false;
  bool summary = true;            ///< the closing line also when nothing was found
  std::size_t print_limit = 100;  ///< findings printed in full; the rest is counted
  bool suppressions = false;      ///< a line for a suppression file for each finding
  bool so_far = false;            ///< a finding while the program runs: how many there will be is not known
  std::unordered_set<std::string> const* told = nullptr;  ///< ids of those that were written so
};

/// The whole report, closing line included.
std::string text_report(Report const& report, TextStyle const& style = {});

/// One finding, `number` of `total`.
std::string text_finding(ReportedFinding const& found, ProgramFacts const& program, std::size_t number,
                         std::size_t total, TextStyle const& style = {});

/// What a finding says beside its title, why and fix: the words of the text report, unwrapped, for other
/// writers.
struct FindingWords {
  struct SideWords {
    std::string access;  ///< "WRITE", "LANE"
    std::string lane;    ///< "league 3  thread 4  lane 1  (warp 0)   barrier interval 2"
  };
  std::string kernel, data, obtained, count;  ///< data, obtained: may be empty
  std::vector<SideWords> sides;
};
FindingWords finding_words(ReportedFinding const& found);

/// "==== teamsan: 2 errors, 1 warning in 3 kernels, 12 launches checked on H100 ====", with its line end.
std::string text_summary(Report const& report);

/// The command that runs this one team of this one launch again; empty when the program's arguments are not
/// known.
std::string rerun_command(ReportedFinding const& found, ProgramFacts const& program);

}  // namespace teamsan
