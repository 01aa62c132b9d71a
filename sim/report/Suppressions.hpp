// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Findings that a user does not want to see: named by a suppression file (--suppressions), by a comment in the source,
/// or by an earlier JSON report (--baseline). Decides on finished findings, so that a suppressed error neither stands in
/// a report nor sets the exit status; they are counted, and entries that matched nothing are named.
///
/// A suppression file has one TYPE:PATTERN a line, `#` begins a comment. TYPE is a rule id or a group of rules (race,
/// uninit, ...): the pattern is looked for in the files (with line, as FILE:LINE), functions and View labels of a finding's
/// sides; or kernel, view, id: in the kernel's label, the View's label, the finding's id. `*` is any text; as in
/// ThreadSanitizer's files a pattern may lie anywhere in the text unless `^` or `$` holds it to an end.
#pragma once

#include "Baseline.hpp"
#include "Report.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace teamsan {

/// Is the pattern found in the text?
bool matches_pattern(std::string_view pattern, std::string_view text);

/// The rules that a comment `// teamsan: ignore(rule, ...) reason` of that source line names; empty if there is none.
std::vector<std::string> ignored_rules(std::string_view source);

class Suppressions {
 public:
  /// Adds a file's entries. Throws OptionError, one sentence that names the file and line, for what it cannot read.
  void add_file(std::string const& file);
  /// The same of the file's text.
  void add_lines(std::string const& lines, std::string const& file);
  /// Adds the findings of a baseline. Throws OptionError. `update`: one that is not there is no mistake, and what is fixed
  /// leaves the file. `whole`: all teams are checked.
  void add_baseline(std::string const& file, bool update = false, bool whole = true);

  /// Moves what is suppressed to what the report lists as known, counts it there, and adds a note for each entry that matched
  /// nothing, and what of the baseline is fixed.
  void apply(Report& report);

  /// --update-baseline, after apply. Throws ReportFileError.
  void update_baseline() const;

 private:
  struct Entry {
    std::string type, pattern, where;
    bool used = false;
  };
  /// By nobody: it stays.
  LeftOut left_out(ReportedFinding const& found);
  void compare_baseline(Report& report);

  std::vector<Entry> m_entries;
  Baseline m_baseline;
  std::string m_new_baseline;  ///< the file, if there is none yet
  std::string m_new_text;      ///< what is to be in it
  std::vector<FixedFinding> m_fixed;
  bool m_update = false, m_whole = true;
};

/// Those that the options name.
Suppressions suppressions_of(struct Options const& options);

/// "scratch-race at src/rhs.hpp:52 in kernel "rhs"": what a comment says of a finding that is left out.
std::string finding_in_short(ReportedFinding const& found);

/// A line for a suppression file that takes out this finding, whatever line it moves to.
std::string suppression_line(ReportedFinding const& found);

}  // namespace teamsan
