/// Which findings of a report have one cause, so that it is said once and the others stand under it. Decides from what the
/// findings say: kernel, data, lines, and why. Where it is not sure, findings stand by themselves.
#pragma once

#include <teamsan/sim/report/Report.hpp>

#include <cstddef>
#include <vector>

namespace teamsan {

/// For each finding the first one of its cause: itself, or one before it.
std::vector<std::size_t> first_of_cause(std::vector<ReportedFinding> const& findings);

}  // namespace teamsan
