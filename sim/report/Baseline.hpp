// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What was known before (--baseline): ids of findings, from a JSON report or from a list of ids. Says which of them a run
/// would have made again and did not, so that the list shrinks as faults are mended. Where a run could not have made one
/// (another program, other checks, a kernel that did not run, an early end) it says nothing of it.
#pragma once

#include "Report.hpp"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace teamsan {

/// What a run says of a baseline's findings that it did not make.
struct BaselineVerdict {
  std::vector<FixedFinding> fixed;  ///< gone; in the order of the file
  std::uint64_t not_checked = 0;    ///< not judged: not all launches were checked that might have shown them
};

class Baseline {
 public:
  Baseline() = default;
  /// Throws OptionError, one sentence.
  explicit Baseline(std::string const& file);

  /// What a JSON report knows of its findings must fit too: one of another rule or kernel is a stranger, whatever its id.
  bool holds(ReportedFinding const& found) const;
  std::string const& file() const { return m_file; }

  /// Of a run of all teams, with these findings.
  BaselineVerdict judge(Report const& report) const;
  /// Why nothing can be said; empty: something can.
  std::string unjudged(ProgramFacts const& program) const;

  /// Writes the file anew, without those. Throws ReportFileError.
  void take_out(std::vector<FixedFinding> const& gone) const;

 private:
  void read_ids(std::string_view text);

  std::string m_file;
  std::vector<FixedFinding> m_known;
  std::unordered_map<std::string, std::size_t> m_ids;  ///< what it is in m_known
  bool m_by_unknown = true;  ///< a list that somebody wrote: of what program, is not said
  std::vector<std::string> m_arguments, m_flags;
};

/// The report's findings as a list of ids, for --baseline: a line each, behind one that says of what run they are.
std::string id_report(Report const& report);

}  // namespace teamsan
