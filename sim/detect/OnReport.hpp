// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tells a debugger of a finding when it is made: calls __teamsan_on_report (base/LaneTable.hpp) once for each pair of
/// instructions, however many teams and launches make the finding again. Decides nothing and changes no report.
#pragma once

#include "../../traces/Site.hpp"
#include "../findings/RawFinding.hpp"

#include <cstdint>

namespace teamsan {

/// Hands a finding to the program's collector, to the trace and to a debugger. With --halt-on-error an error writes the report
/// and ends the program: then this does not return.
void report(Finding&& finding);

}  // namespace teamsan

namespace teamsan::detect {

/// Where the lane is that the finding was made for: before the store that decides between a race and same-value it stands at
/// the access, too.
enum class LaneIs : std::uint8_t { at_the_access, before_the_value, gone_on };

/// True for one caller only for each pair of instructions, in any order; the races (and same-value) count as one rule.
/// For findings that are costly to describe; notify_debugger(finding) asks by itself.
bool is_news(Rule rule, Site site, Site other_site);

/// After is_news().
void notify_of_new(RawFinding const& finding, LaunchFacts const& launch, LaneIs lane);

void notify_debugger(RawFinding const& finding, LaunchFacts const& launch, LaneIs lane);

/// One of host code, or that only the end of the launch could make.
void notify_debugger(Finding const& finding);

}  // namespace teamsan::detect
