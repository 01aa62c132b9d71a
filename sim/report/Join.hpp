// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Puts the reports of several runs together: ranks of one job, tests of one suite, shards of one run. What stands in
/// several becomes one finding, traffic of a kernel adds up. The order of the reports decides the order of the findings,
/// and which of equal ones is the example.
#pragma once

#include "Report.hpp"

#include <string>
#include <vector>

namespace teamsan {

/// Counts add up; but the shards of one run ("1/4", "2/4", ...) made the same launches, so that of these the most counts.
Report join_reports(std::vector<Report> const& reports);

/// What is missing from the shards of a run: "3/4"; empty if they are all there, or if none is a shard.
std::vector<std::string> missing_shards(std::vector<Report> const& reports);

}  // namespace teamsan
