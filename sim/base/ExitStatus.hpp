// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every exit status of its own that TeamSan gives, so that a script can tell a finding from a failure of the
/// tool.
#pragma once

namespace teamsan {

enum ExitStatus : int {
  exit_success = 0,  ///< nothing found; the program's own status otherwise
  exit_user_mistake =
      2,  ///< wrong option, device, check or program: one sentence on standard error says which
  exit_tool_failure =
      3,  ///< TeamSan itself could not do its work: a report could not be written, a program could not be judged
  exit_findings = 66,      ///< an error was found (--error-exitcode changes it); compared results differ
  exit_first_failed = 71,  ///< `teamsan verify`: the first program failed
  exit_second_failed = 72  ///< `teamsan verify`: the second program failed
};

}  // namespace teamsan
