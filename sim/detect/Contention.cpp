// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// contention: atomics on one address are carried out one after the other, those of a warp's lanes and those of all teams. Told
/// of lines where many lanes of a warp want one address, or where one address takes most of what many lanes of a team add.
/// What is counted is exact (AtomicAddresses.hpp); how long an update takes is the chip's.
#include "Performance.hpp"

#include "../base/Options.hpp"
#include "../findings/Sentences.hpp"
#include "../findings/TextLayout.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace teamsan::detect {

namespace {

constexpr std::size_t told = 3;
constexpr std::uint64_t most_bins = 4096;        ///< that fit into a team's scratch
constexpr std::uint64_t many_of_a_team = 16;

bool is_counter(AccessSite const& site) {
  Contention const& c = site.contention;
  return !c.hottest.empty() && c.hottest.front().updates * 10 >= site.counts.lane_accesses * 9;
}

/// By the shape of what is updated.
Cure fix_of(AccessSite const& site, bool of_teams) {
  Contention const& c = site.contention;
  if (is_counter(site))
    return of_teams ? Cure::add_up_in_team : Cure::let_kokkos_add_up;
  if (c.addresses * c.one_in <= most_bins)
    return of_teams && !site.banked ? Cure::bins_of_teams : Cure::copies_of_bins;
  return Cure::sort_updates;
}

std::string hottest_text(AccessSite const& site) {
  std::string text;
  for (HotAddress const& hot : site.contention.hottest) {
    if (&hot - site.contention.hottest.data() == told) break;
    text += fmt::format("{}{}{}: {}", text.empty() ? "" : "; ", site.data.label.empty() ? "element " : site.data.label,
                        hot.index, counted(hot.updates, "update"));
    if (!site.banked) text += " by " + counted(hot.teams, "team");
  }
  return text;
}

Finding contention_finding(ReportedTraffic const& kernel, ReportedSite const& s, bool of_teams) {
  Finding f = performance_finding(Rule::contention, kernel, s);
  AccessSite const& site = s.site;
  Contention const& c = site.contention;
  double const lanes = static_cast<double>(c.wanted) / static_cast<double>(site.counts.requests);
  f.title = lanes >= 2 ? fmt::format("{:.1f} lanes of a warp update one address", lanes)
                       : fmt::format("one address takes {} of all updates",
                                     percent(c.hottest.front().updates, site.counts.lane_accesses));
  f.why.clear();
  std::string const of = c.one_in == 1 ? "" : fmt::format(" (of one address in {})", c.one_in);
  f.why.push_back(because(Reason::updates, counted(site.counts.lane_accesses, "update"),
                          c.addresses == 1 ? "1 address" : with_commas(c.addresses) + " addresses", of,
                          counted(c.worst, "lane")));
  f.why.push_back(because(Reason::hottest, hottest_text(site)));
  f.fix = remedy(fix_of(site, of_teams));
  return f;
}

}  // namespace

void judge_contention(ReportedTraffic const& kernel, std::vector<CollectedFinding>& findings) {
  Options const& o = options();
  if (!o.enabled(Rule::contention)) return;
  for (ReportedSite const& s : kernel.sites) {
    Contention const& c = s.site.contention;
    if (s.site.operation != model::Operation::atomic || c.hottest.empty()) continue;
    HotAddress const& top = c.hottest.front();
    bool const of_lanes = c.wanted >= s.site.counts.requests * o.contention;
    bool const of_team = !s.site.banked && top.teams > 1 && top.updates * 2 >= s.site.counts.lane_accesses &&
                         top.updates >= many_of_a_team * top.teams;
    if (!of_lanes && !of_team) continue;
    CollectedFinding one;
    one.finding = contention_finding(kernel, s, kernel.residency.known());
    one.finding.severity = o.fails_on(Rule::contention) ? Severity::error : Severity::info;
    one.teams.add(one.finding.launch, kernel.teams);
    findings.push_back(std::move(one));
  }
}

}  // namespace teamsan::detect
