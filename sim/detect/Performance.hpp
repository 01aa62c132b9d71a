// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// From the machine model's sums to what a person should change: `bank-conflict`, `uncoalesced`, `occupancy`, `divergence` and
/// `contention` findings. They are made of what ran; a compiler for the real device may merge, widen or drop accesses.
#pragma once

#include "../../model/device/Device.hpp"
#include "../findings/Collector.hpp"
#include "../findings/Traffic.hpp"

#include <string>
#include <vector>

namespace teamsan::detect {

/// Gives each site its fix, and adds a finding for each that passes the options' thresholds: info, an error if --fail-on
/// says so.
void judge_performance(ReportedTraffic& kernel, std::vector<CollectedFinding>& findings);

// One rule a file. A fix is one sentence that says how the worst warp of the site would get better; what it promises in
// numbers, the model was asked for.
struct SiteFix {
  Remedy remedy;
  std::uint32_t cost_then = 0;  ///< wavefronts or sectors of the worst warp, as the model has it; 0: it was not asked
};
SiteFix bank_conflict_fix(AccessSite const& site, model::Device const& device);
Finding bank_conflict_finding(ReportedTraffic const& kernel, ReportedSite const& site);
Remedy uncoalesced_fix(AccessSite const& site, model::Device const& device, bool has_iterate);
Finding uncoalesced_finding(ReportedTraffic const& kernel, ReportedSite const& site);
/// Adds what there is to say of the kernel's launches as a whole.
void judge_occupancy(ReportedTraffic const& kernel, std::vector<CollectedFinding>& findings);
/// Adds a `divergence` finding for each branch that leaves too many lanes idle.
void judge_branches(ReportedTraffic const& kernel, std::vector<CollectedFinding>& findings);
/// Adds a `contention` finding for each line whose atomics wait for each other too much.
void judge_contention(ReportedTraffic const& kernel, std::vector<CollectedFinding>& findings);

// What both say in the same way.
Finding performance_finding(Rule rule, ReportedTraffic const& kernel, ReportedSite const& site);
/// The distance in bytes that most neighbouring active lanes of the worst warp are apart; 0 with fewer than two lanes.
std::int64_t lane_distance(WorstWarp const& worst);
/// How many pairs of neighbouring active lanes are that far apart, of how many.
bool is_regular(WorstWarp const& worst, std::int64_t distance);
/// "loads", "stores", "atomics".
char const* operations(model::Operation operation);
/// "94.1 %" of `part` in `whole`.
std::string percent(std::uint64_t part, std::uint64_t whole);

}  // namespace teamsan::detect
