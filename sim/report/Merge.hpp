// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// From findings merged by sites to findings as a person reads them: symbolised, merged by source lines, with
/// ids.
#pragma once

#include "../findings/Collector.hpp"
#include "Report.hpp"

#include <cstddef>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace teamsan {

/// Findings of the same rule, kernel, user lines and data become one; the first stays the example, the order
/// stays. An id depends on the rule, the text of the lines, the kernel and the data's label, and for two
/// findings alike in all of these on their order: never on a line number or an address.
class LineMerge {
 public:
  struct Added {
    std::size_t number;  ///< in findings()
    bool fresh;          ///< the first of its lines
  };
  Added add(CollectedFinding const& raw);
  /// But for the numbers of teams and launches.
  std::vector<ReportedFinding> const& findings() const { return m_findings; }
  /// Whole.
  std::vector<ReportedFinding> take();

 private:
  void set_id(ReportedFinding& found);

  std::vector<ReportedFinding> m_findings;
  std::vector<TeamCount> m_teams;
  std::unordered_map<std::string, std::size_t> m_known;
  std::unordered_set<std::string> m_ids;
};

/// A race on device memory that a barrier does not cure, since the lanes are of two teams. Within a team the same lines are
/// another finding.
bool lacks_end_of_launch(Finding const& finding);

/// All of them.
std::vector<ReportedFinding> merge_by_lines(std::vector<CollectedFinding> const& raw);

}  // namespace teamsan
