// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which findings of a report have one cause, so that it is said once and the others stand under it. Decides from what the
/// findings say: kernel, data, lines, and why. Where it is not sure, findings stand by themselves. Those that come later decide
/// nothing: a stream says the same as the report at the end.
#pragma once

#include "Report.hpp"

#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace teamsan {

/// The same for findings that come one after the other.
class CauseHeads {
 public:
  using Lines = std::vector<std::pair<std::string, unsigned>>;

  /// The first one of finding `i`'s cause: itself, or one before it. Asked for each, from 0 on.
  std::size_t of(std::vector<ReportedFinding> const& findings, std::size_t i);

 private:
  struct Known {
    std::size_t finding, head;
    Lines lines;  ///< of its sides
  };
  std::unordered_map<std::string, std::vector<Known>> m_known;  ///< of each kernel
  std::unordered_map<std::string, std::size_t> m_of_lines;      ///< by rule and lines, the first head
};

/// For each finding the first one of its cause: itself, or one before it.
std::vector<std::size_t> first_of_cause(std::vector<ReportedFinding> const& findings);

}  // namespace teamsan
