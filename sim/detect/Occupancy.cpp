// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// occupancy: a launch leaves much of the device empty, and its shape shows why. Three ways are told: scratch keeps a
/// multiprocessor from holding more teams, the league has fewer teams than the device has multiprocessors, a team has fewer
/// lanes than a warp. Decided from the launch's shape by Occupancy.hpp; whether more resident warps would make the kernel any
/// faster it cannot see. A kernel is told of few or small teams if all its launches are such.
#include "Performance.hpp"

#include "../base/Options.hpp"
#include "../findings/Sentences.hpp"
#include "../findings/TextLayout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace teamsan::detect {

namespace {

Finding finding_about(ReportedTraffic const& kernel, Residency const& launch) {
  Finding f;
  f.rule = Rule::occupancy;
  f.severity = options().fails_on(Rule::occupancy) ? Severity::error : Severity::info;
  f.kernel = kernel.kernel;
  f.policy = kernel.policy;
  f.launch = launch.launch;
  f.league_size = launch.league;
  f.count = kernel.launches;
  Side side;
  side.role = "launched here";
  side.callers = launch.calls;
  f.sides.push_back(std::move(side));
  return f;
}

std::string bytes(std::size_t n) { return counted(n, "byte"); }

/// The smallest number of teams, more than now, that a smaller demand for scratch would let a unit hold, with the bytes that
/// each may then take; none: nothing else than scratch would allow more.
struct Better {
  std::uint32_t teams = 0, warps = 0;
  std::size_t bytes = 0;
};

Better next_better(model::Device const& device, Residency const& launch) {
  model::TeamShape shape = launch.team;
  shape.scratch = model::scratch_for(device, launch.resident.teams + 1);
  if (shape.scratch == 0) return {};
  model::Occupancy const then = model::occupancy(device, shape);
  return then.teams > launch.resident.teams ? Better{then.teams, then.warps, shape.scratch} : Better{};
}

Finding limited_by_scratch(ReportedTraffic const& kernel, Residency const& launch, model::Device const& device) {
  Finding f = finding_about(kernel, launch);
  model::Occupancy const& now = launch.resident;
  f.title = fmt::format("scratch lets a multiprocessor hold {} of {} warps", now.warps, now.most_warps);
  f.why.push_back(because(Reason::scratch_of_a_team, bytes(launch.team.scratch), counted(now.teams, "team"),
                          std::min({now.by[0], now.by[1], now.by[3]})));
  if (Better const better = next_better(device, launch); better.teams != 0)
    f.fix = remedy(Cure::less_scratch_for_more_warps, bytes(better.bytes), better.warps, now.most_warps);
  return f;
}

Finding few_teams(ReportedTraffic const& kernel, Residency const& launch, model::Device const& device) {
  Finding f = finding_about(kernel, launch);
  f.title = fmt::format("{} for {} multiprocessors", counted(launch.league, "team"), device.compute_units);
  f.why.push_back(because(Reason::idle_units,
                          device.compute_units - std::min<std::uint64_t>(launch.league, device.compute_units),
                          device.compute_units));
  f.fix = remedy(launch.team.lanes > device.warp_width ? Cure::smaller_teams : Cure::less_work_a_team);
  return f;
}

Finding small_teams(ReportedTraffic const& kernel, Residency const& launch, model::Device const& device) {
  Finding f = finding_about(kernel, launch);
  f.title = fmt::format("teams of {} in warps of {}", counted(launch.team.lanes, "lane"), device.warp_width);
  f.why.push_back(because(Reason::whole_warps, device.warp_width - launch.team.lanes, device.warp_width));
  f.fix = remedy(Cure::whole_warps, device.warp_width);
  return f;
}

}  // namespace

void judge_occupancy(ReportedTraffic const& kernel, std::vector<CollectedFinding>& findings) {
  Options const& o = options();
  if (!o.enabled(Rule::occupancy) || !kernel.residency.known() || !kernel.largest.known()) return;
  model::Device const& device = o.model();
  std::vector<Finding> found;
  Residency const &least = kernel.residency, &most = kernel.largest;
  if (least.resident.limit == model::OccupancyLimit::scratch && least.resident.share() * 100 < o.occupancy)
    found.push_back(limited_by_scratch(kernel, least, device));
  if (most.league * 100 < std::uint64_t{device.compute_units} * o.grid_share) found.push_back(few_teams(kernel, most, device));
  if (most.team.lanes < device.warp_width) found.push_back(small_teams(kernel, most, device));
  if (found.empty()) return;
  // One line launches it: one finding, whatever there is to say of its shape.
  CollectedFinding one;
  one.finding = std::move(found.front());
  for (auto more = found.begin() + 1; more != found.end(); ++more) {
    one.finding.title += ", " + more->title;
    one.finding.why.insert(one.finding.why.end(), more->why.begin(), more->why.end());
    if (Remedy const before = one.finding.fix; before.empty())
      one.finding.fix = more->fix;
    else if (!more->fix.empty())
      one.finding.fix = remedy(Cure::several, say(before), say(more->fix));
  }
  one.teams.add(one.finding.launch, kernel.teams);
  findings.push_back(std::move(one));
}

}  // namespace teamsan::detect
