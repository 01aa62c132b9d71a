// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Performance.hpp"

#include "../base/Options.hpp"
#include "../findings/Sentences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace teamsan::detect {

namespace {

/// f(lane, next active lane)
template <class F>
void for_each_neighbours(WorstWarp const& worst, F f) {
  int previous = -1;
  for (std::uint64_t rest = worst.active; rest != 0; rest &= rest - 1) {
    int const lane = std::countr_zero(rest);
    if (previous >= 0) f(static_cast<std::size_t>(previous), static_cast<std::size_t>(lane));
    previous = lane;
  }
}

std::uint64_t total_cost(ReportedTraffic const& kernel, bool banked) {
  std::uint64_t sum = 0;
  for (ReportedSite const& s : kernel.sites)
    if (s.site.banked == banked) sum += s.cost();
  return sum;
}

AccessKind kind_of(model::Operation operation) {
  switch (operation) {
    case model::Operation::load:
      return AccessKind::read;
    case model::Operation::store:
      return AccessKind::write;
    case model::Operation::atomic:
      break;
  }
  return AccessKind::atomic_write;
}

/// Empty if it is as good as can be.
SiteFix fix_of(AccessSite const& site, model::Device const& device, bool has_iterate) {
  if (site.worst.cost <= site.worst.ideal) return {};
  return site.banked ? bank_conflict_fix(site, device) : SiteFix{uncoalesced_fix(site, device, has_iterate)};
}

/// A figure of the worst warp holds for all of the site in proportion.
Gain gain_of(ReportedTraffic const& kernel, ReportedSite const& s, std::uint32_t cost_then, model::Device const& device) {
  Gain gain;
  if (s.excess() == 0 || s.cure.empty()) return gain;
  WorstWarp const& worst = s.site.worst;
  gain.banked = s.site.banked;
  gain.of = s.cost();
  gain.at_most = cost_then == 0;
  gain.saved = s.excess();
  if (!gain.at_most) {
    double const part = static_cast<double>(worst.cost - cost_then) / worst.cost;
    gain.saved = std::min(gain.saved, static_cast<std::uint64_t>(static_cast<double>(gain.of) * part));
  }
  model::KernelWork work = work_of(kernel);
  TrafficCounts const counted = all_counts(kernel);
  auto const take_off = [&](std::uint64_t& all, std::uint64_t of_counted) {
    all -= std::min(all, static_cast<std::uint64_t>(static_cast<double>(all) * static_cast<double>(gain.saved) /
                                                    static_cast<double>(of_counted)));
  };
  model::ModelledCost const now = model::modelled_cost(device, work);
  if (gain.banked)
    take_off(work.wavefronts, counted.wavefronts);
  else
    take_off(work.sectors, counted.sectors);
  gain.bound = now.bound();
  gain.seconds = now.seconds() - model::modelled_cost(device, work).seconds();
  gain.priced = now.seconds() != 0;
  gain.share = gain.priced ? gain.seconds / now.seconds() : 0;
  return gain;
}

}  // namespace

void judge_performance(ReportedTraffic& kernel, std::vector<CollectedFinding>& findings) {
  Options const& o = options();
  judge_occupancy(kernel, findings);
  judge_branches(kernel, findings);
  judge_contention(kernel, findings);
  for (ReportedSite& s : kernel.sites) {
    SiteFix fix = fix_of(s.site, o.model(), kernel.has_iterate);
    s.cure = std::move(fix.remedy);
    s.fix = say(s.cure);
    s.gain = gain_of(kernel, s, fix.cost_then, o.model());
  }
  for (ReportedSite const& s : kernel.sites) {
    Rule const rule = s.site.banked ? Rule::bank_conflict : Rule::uncoalesced;
    if (!o.enabled(rule) || s.excess() == 0) continue;
    // A conflict is told by its worst warp; sectors vary from warp to warp, and their mean tells.
    std::uint64_t const factor = s.site.banked ? s.site.worst.ways() : s.cost() / std::max<std::uint64_t>(s.ideal(), 1);
    bool const fails = o.fails_on(rule, factor);
    bool const much = factor >= (s.site.banked ? o.conflict_ways : o.sector_excess) &&
                      s.excess() * 100 >= total_cost(kernel, s.site.banked) * o.perf_share;
    if (!fails && !much) continue;
    CollectedFinding one;
    one.finding = s.site.banked ? bank_conflict_finding(kernel, s) : uncoalesced_finding(kernel, s);
    one.finding.gain = s.gain;
    one.finding.severity = fails ? Severity::error : Severity::info;
    one.teams.add(one.finding.launch, kernel.teams);
    findings.push_back(std::move(one));
  }
}

Finding performance_finding(Rule rule, ReportedTraffic const& kernel, ReportedSite const& s) {
  WorstWarp const& worst = s.site.worst;
  Finding f;
  f.rule = rule;
  f.kernel = kernel.kernel;
  f.policy = kernel.policy;
  f.launch = worst.launch;
  f.data = s.site.data;
  Side side;
  side.access = kind_of(s.site.operation);
  side.bytes = s.site.bytes_per_lane;
  side.has_lane = true;
  side.league = worst.league;
  auto const lane = static_cast<std::uint32_t>(std::countr_zero(worst.active));
  std::uint32_t const index = worst.warp * kernel.warp_width + lane;
  side.thread = index / worst.vector_length;
  side.vector_lane = index % worst.vector_length;
  side.warp = worst.warp;
  side.site = s.site.at;
  f.data.offset = static_cast<std::uint64_t>(worst.offsets[lane]);
  f.sides.push_back(side);
  f.fix = s.cure;
  f.count = s.site.counts.requests;
  f.why.push_back(because(s.site.banked ? Reason::share_of_wavefronts : Reason::share_of_sectors,
                          percent(s.cost(), total_cost(kernel, s.site.banked))));
  return f;
}

std::int64_t lane_distance(WorstWarp const& worst) {
  std::map<std::int64_t, int> votes;
  for_each_neighbours(worst, [&](std::size_t a, std::size_t b) { ++votes[worst.offsets[b] - worst.offsets[a]]; });
  std::int64_t best = 0;
  int most = 0;
  for (auto const& [distance, count] : votes)
    if (count > most) {
      best = distance;
      most = count;
    }
  return best;
}

bool is_regular(WorstWarp const& worst, std::int64_t distance) {
  int same = 0, pairs = 0;
  for_each_neighbours(worst, [&](std::size_t a, std::size_t b) {
    ++pairs;
    same += worst.offsets[b] - worst.offsets[a] == distance;
  });
  return pairs > 0 && same * 4 >= pairs * 3;
}

char const* operations(model::Operation operation) {
  switch (operation) {
    case model::Operation::load:
      return "loads";
    case model::Operation::store:
      return "stores";
    case model::Operation::atomic:
      break;
  }
  return "atomics";
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{:.1f} %", whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

}  // namespace teamsan::detect
