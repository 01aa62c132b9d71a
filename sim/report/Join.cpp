// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Join.hpp"

#include "../findings/Sentences.hpp"
#include "../findings/SiteOrder.hpp"
#include "Merge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace teamsan {
namespace {

constexpr char field_end = '\x1f';

/// As Merge.cpp tells places apart: by lines.
std::string line_of(Place const& place) { return fmt::format("{}:{}", place.path, place.line); }

/// Equal for what a person takes for the same finding. Findings without a place are told apart by their ids.
std::string key_of(ReportedFinding const& found) {
  Finding const& finding = found.finding;
  std::vector<std::string> places;
  for (ReportedSide const& side : found.sides)
    places.push_back(side.trail.place.known() ? line_of(side.trail.place) : found.id + side.side.role);
  if (places.empty()) places.push_back(found.id);
  std::sort(places.begin(), places.end());
  return fmt::format("{1}{0}{2}{0}{3}{0}{4}{0}{5}{6}", field_end, rule_id(finding.rule), finding.kernel,
                     static_cast<int>(finding.data.kind), finding.data.label, fmt::join(places, " "),
                     lacks_end_of_launch(finding) ? " between teams" : "");
}

std::string key_of(ReportedSite const& s) {
  return fmt::format("{1}:{7}{0}{2}{0}{3}{0}{4}{0}{5}{0}{6}", field_end, line_of(s.place), static_cast<int>(s.site.operation),
                     s.site.bytes_per_lane, s.site.banked, static_cast<int>(s.site.data.kind), s.site.data.label,
                     s.place.column);
}

struct Shard {
  unsigned index = 0, of = 0;
};
Shard shard_of(Report const& report) {
  std::string const& text = report.program.shard;
  Shard shard;
  std::size_t const slash = text.find('/');
  if (slash == std::string::npos) return shard;
  std::from_chars(text.data(), text.data() + slash, shard.index);
  std::from_chars(text.data() + slash + 1, text.data() + text.size(), shard.of);
  return shard;
}

bool are_shards(std::vector<Report> const& reports) {
  return !reports.empty() && std::all_of(reports.begin(), reports.end(), [&](Report const& r) {
    return !r.program.shard.empty() && shard_of(r).of == shard_of(reports.front()).of &&
           r.program.dealt == reports.front().program.dealt;
  });
}

/// What host code did, or was too late for, and what ended the run, each shard has seen. (A functor is changed by lanes, if by
/// nobody knows which.)
bool in_every_shard(ReportedFinding const& found) {
  if (!found.finding.why.empty() && found.finding.why.front().kind == Reason::never_contributed) return true;
  bool const by_lane = !found.sides.empty() && found.sides.front().side.has_lane;
  return !(by_lane || found.finding.data.kind == Data::Kind::constant) ||
         rule_info(found.finding.rule).after == After::ends_team;
}

/// The runs that a report is of.
std::vector<TestRun> runs_of(ProgramFacts const& program) {
  if (!program.runs.empty()) return program.runs;
  return {{program.test, program.rank, program.arguments, program.flags, program.launcher, program.directory}};
}

/// Numbers the finding's runs as the joined report does, whose runs of this report begin at `first`.
ReportedFinding with_runs(ReportedFinding found, std::uint32_t first) {
  if (found.runs.empty()) found.runs = {0};
  for (std::uint32_t& run : found.runs) run += first;
  return found;
}

void add_finding(ReportedFinding& sum, ReportedFinding const& more, bool shards, bool dealt) {
  for (std::uint32_t const run : more.runs)
    if (std::ranges::find(sum.runs, run) == sum.runs.end()) sum.runs.push_back(run);
  Finding& kept = sum.finding;
  kept.severity = std::max(kept.severity, more.finding.severity);
  kept.count_at_least = kept.count_at_least || more.finding.count_at_least;
  kept.teams_at_least = kept.teams_at_least || more.finding.teams_at_least;
  bool const everywhere = shards && in_every_shard(sum);
  kept.count = everywhere ? std::max(kept.count, more.finding.count) : kept.count + more.finding.count;
  // Shards have teams of their own, and of device memory addresses: there each tells of any team.
  bool const of_addresses = shards && !dealt && kept.data.kind == Data::Kind::view;
  if (of_addresses && !everywhere) {
    bool const one_launch = std::max(sum.launches, more.launches) == 1;
    kept.teams_at_least = !one_launch || std::max(kept.teams, more.finding.teams) != kept.league_size;
  }
  kept.teams = everywhere || of_addresses ? std::max(kept.teams, more.finding.teams) : kept.teams + more.finding.teams;
  sum.launches = shards && !dealt ? std::max(sum.launches, more.launches) : sum.launches + more.launches;
  sum.reports += more.reports;
}

bool is_worse(WorstWarp const& a, WorstWarp const& b) { return a.cost - a.ideal > b.cost - b.ideal; }

void add_traffic(ReportedTraffic& sum, ReportedTraffic const& more, bool shards) {
  sum.launches = shards ? std::max(sum.launches, more.launches) : sum.launches + more.launches;
  sum.teams += more.teams;
  sum.teams_of_all = shards ? std::max(sum.teams_of_all, more.teams_of_all) : sum.teams_of_all + more.teams_of_all;
  take_lower(sum.residency, more.residency);
  sum.shared_loads.add(more.shared_loads);
  sum.shared_stores.add(more.shared_stores);
  sum.shared_atomics.add(more.shared_atomics);
  sum.global_loads.add(more.global_loads);
  sum.global_stores.add(more.global_stores);
  sum.global_atomics.add(more.global_atomics);
  sum.own.add(more.own);
  for (ReportedSite const& site : more.sites) {
    auto const same = std::find_if(sum.sites.begin(), sum.sites.end(),
                                   [&](ReportedSite const& known) { return key_of(known) == key_of(site); });
    if (same == sum.sites.end()) {
      sum.sites.push_back(site);
      continue;
    }
    same->site.counts.add(site.site.counts);
    same->site.contention.add(site.site.contention);
    if (!same->parted.known()) same->parted = site.parted;
    if (is_worse(site.site.worst, same->site.worst)) same->site.worst = site.site.worst;
  }
}

/// Of shards that have whole launches apiece: together they have all. Of other runs it is not known which launch is which.
void add_launches(ProgramFacts& sum, ProgramFacts const& more, bool shards, bool dealt) {
  for (KernelLaunches const& kernel : more.kernel_launches) {
    auto const same = std::find_if(sum.kernel_launches.begin(), sum.kernel_launches.end(), [&](KernelLaunches const& known) {
      return known.kernel == kernel.kernel && known.policy == kernel.policy;
    });
    if (same == sum.kernel_launches.end()) {
      sum.kernel_launches.push_back(kernel);
      continue;
    }
    if (same->lanes == 0) {
      same->lanes = kernel.lanes;
      same->accesses = kernel.accesses;
    }
    if (shards && !dealt) continue;
    same->launches_checked += kernel.launches_checked;
    same->plain_checked += kernel.plain_checked;
    if (!dealt) {
      same->launches += kernel.launches;
      same->plain += kernel.plain;
      same->checked.clear();
      continue;
    }
    LaunchRuns runs = same->checked, joined;
    runs.insert(runs.end(), kernel.checked.begin(), kernel.checked.end());
    std::sort(runs.begin(), runs.end());
    for (auto const& run : runs)
      if (!joined.empty() && joined.back().second + 1 == run.first)
        joined.back().second = run.second;
      else
        joined.push_back(run);
    same->checked = std::move(joined);
  }
}

void add_program(ProgramFacts& sum, ProgramFacts const& more, bool shards) {
  auto const add = [shards](std::uint64_t& n, std::uint64_t m) { n = shards ? std::max(n, m) : n + m; };
  bool const dealt = shards && sum.dealt;
  add(sum.launches, more.launches);
  if (dealt)
    sum.launches_checked += more.launches_checked;
  else
    add(sum.launches_checked, more.launches_checked);
  dealt ? void(sum.launches_decided += more.launches_decided) : add(sum.launches_decided, more.launches_decided);
  add_launches(sum, more, shards, dealt);
  if (sum.chosen_by != more.chosen_by) sum.chosen_by.clear();
  for (OtherLaunches const& other : more.other_launches) {
    auto const same = std::find_if(sum.other_launches.begin(), sum.other_launches.end(), [&](OtherLaunches const& known) {
      return known.space == other.space && known.kernel == other.kernel;
    });
    if (same == sum.other_launches.end())
      sum.other_launches.push_back(other);
    else
      add(same->launches, other.launches);
  }
  for (std::string const& library : more.unchecked_libraries)
    if (std::find(sum.unchecked_libraries.begin(), sum.unchecked_libraries.end(), library) == sum.unchecked_libraries.end())
      sum.unchecked_libraries.push_back(library);
  if (sum.baseline != more.baseline) sum.baseline.clear();
  if (!shards) sum.reports += more.reports;
  sum.crashed |= more.crashed;
  sum.finished &= more.finished;
  sum.written &= more.written;
  sum.judged &= more.judged;
  if (sum.arguments != more.arguments) sum.arguments.clear();
  if (sum.flags != more.flags) sum.flags.clear();
  if (sum.device_name != more.device_name) sum.device = sum.device_name = "";
}

/// An id stands for one finding.
void part_ids(Report& report) {
  std::unordered_set<std::string> used;
  for (auto* const findings : {&report.findings, &report.known})
    for (ReportedFinding& found : *findings) {
      std::string const id = found.id;
      for (unsigned n = 2; !used.insert(found.id).second; ++n) found.id = fmt::format("{}-{}", id, n);
    }
}

/// How many a run left out that its report, an older one, does not list.
std::uint64_t unlisted(Report const& report) {
  return report.program.suppressed - std::min<std::uint64_t>(report.program.suppressed, report.known.size());
}

}  // namespace

Report join_reports(std::vector<Report> const& reports) {
  Report sum;
  if (reports.empty()) return sum;
  bool const shards = are_shards(reports), dealt = shards && reports.front().program.dealt;
  std::unordered_map<std::string, std::size_t> findings, known;
  std::uint64_t suppressed = 0;
  std::vector<TestRun> runs;
  std::map<std::string, std::size_t> kernels;
  std::set<std::string> names, notes;
  for (Report const& report : reports) {
    if (&report == &reports.front())
      sum.program = report.program;
    else
      add_program(sum.program, report.program, shards);
    names.insert(report.program.kernel_names.begin(), report.program.kernel_names.end());
    for (std::string const& note : report.program.notes)
      if (notes.insert(note).second && &report != &reports.front()) sum.program.notes.push_back(note);
    // Shards are one run in parts.
    auto const first_run = static_cast<std::uint32_t>(shards ? 0 : runs.size());
    if (!shards || runs.empty()) std::ranges::copy(runs_of(report.program), std::back_inserter(runs));
    for (ReportedFinding const& made : report.findings) {
      ReportedFinding const found = with_runs(made, first_run);
      auto const [it, fresh] = findings.try_emplace(key_of(found), sum.findings.size());
      fresh ? sum.findings.push_back(found) : add_finding(sum.findings[it->second], found, shards, dealt);
    }
    suppressed += unlisted(report);
    for (ReportedFinding const& made : report.known) {
      ReportedFinding const found = with_runs(made, first_run);
      auto const [it, fresh] = known.try_emplace(key_of(found), sum.known.size());
      fresh ? sum.known.push_back(found) : add_finding(sum.known[it->second], found, shards, dealt);
    }
    for (ReportedTraffic const& kernel : report.kernels) {
      auto const [it, fresh] = kernels.try_emplace(kernel.kernel, sum.kernels.size());
      fresh ? sum.kernels.push_back(kernel) : add_traffic(sum.kernels[it->second], kernel, shards && !dealt);
    }
    if (!add_migrations(sum.migrations, report.migrations, shards) &&
        notes.insert("pages of different sizes").second)
      sum.program.notes.push_back("reports count migrations in pages of different sizes; only those in pages of the "
                                  "first report's size are added up");
  }
  // What one run leaves out and another one tells is told.
  std::erase_if(sum.known, [&](ReportedFinding const& found) {
    auto const told = findings.find(key_of(found));
    if (told == findings.end()) return false;
    add_finding(sum.findings[told->second], found, shards, dealt);
    return true;
  });
  sum.program.suppressed = suppressed + sum.known.size();
  for (auto* const all : {&sum.findings, &sum.known})
    for (ReportedFinding& found : *all) {
      found.of_reports = sum.program.reports;
      if (shards) found.reports = 1;
    }
  for (ReportedTraffic& kernel : sum.kernels)
    std::stable_sort(kernel.sites.begin(), kernel.sites.end(), comes_first);
  part_ids(sum);
  if (runs.size() > 1) {
    sum.program.runs = std::move(runs);
    sum.program.test = sum.program.rank = sum.program.directory = "";
  } else {
    for (auto* const all : {&sum.findings, &sum.known})
      for (ReportedFinding& found : *all) found.runs.clear();
  }
  sum.program.kernel_names.assign(names.begin(), names.end());
  sum.program.kernels = names.size();
  if (shards) sum.program.shard.clear();
  sum.program.dealt = false;
  return sum;
}

std::vector<std::string> missing_shards(std::vector<Report> const& reports) {
  std::vector<std::string> missing;
  if (!are_shards(reports)) return missing;
  unsigned const of = shard_of(reports.front()).of;
  for (unsigned index = 1; index <= of; ++index)
    if (std::none_of(reports.begin(), reports.end(), [&](Report const& r) { return shard_of(r).index == index; }))
      missing.push_back(fmt::format("{}/{}", index, of));
  return missing;
}

}  // namespace teamsan
