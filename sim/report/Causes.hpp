// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which findings of a report have one cause, so that it is said once and the others stand under it. Decides from what the
/// findings say: kernel, data, lines, and why. Where it is not sure, findings stand by themselves.
#pragma once

#include <teamsan/sim/report/Report.hpp>

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

namespace teamsan {

/// The same for findings that come one after the other.
class CauseHeads {
 public:
  /// The first one of the last finding's cause; `findings` only ever grow between calls.
  std::size_t of_last(std::vector<ReportedFinding> const& findings);

 private:
  std::unordered_map<std::string, std::vector<std::size_t>> m_heads;  ///< of each kernel
};

/// For each finding the first one of its cause: itself, or one before it.
std::vector<std::size_t> first_of_cause(std::vector<ReportedFinding> const& findings);

}  // namespace teamsan
