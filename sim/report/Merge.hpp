/// From findings merged by pcs to findings as a person reads them: symbolised, merged by source lines, with
/// ids.
#pragma once

#include <teamsan/sim/findings/Collector.hpp>
#include <teamsan/sim/report/Report.hpp>

#include <vector>

namespace teamsan {

/// Findings of the same rule, kernel, user lines and data become one; the first stays the example, the order
/// stays. An id depends on the rule, the text of the lines, the kernel and the data's label, and for two
/// findings alike in all of these on their order: never on a line number or an address.
std::vector<ReportedFinding> merge_by_lines(std::vector<CollectedFinding> const& raw);

}  // namespace teamsan
