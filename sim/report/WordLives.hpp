// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reads from a trace what lanes did to the words that findings are about, each in the finding's launch. A scratch word
/// lives in one team: other teams had the same address before and after. Host accesses are not shown.
#pragma once

#include "Report.hpp"

#include <span>
#include <string>

namespace teamsan {

/// Sets `life` of each finding that has an address and a launch; others stay without. Goes through the trace once. The
/// findings are this process' own: their sides' instructions have a meaning. Nothing is added where the trace cannot be
/// read.
void add_lives(std::span<ReportedFinding> findings, std::string const& file);

}  // namespace teamsan
