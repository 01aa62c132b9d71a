// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReportComparison.hpp"

#include "../findings/TextLayout.hpp"
#include "../places/SourceFile.hpp"
#include "FindingId.hpp"
#include "Presentable.hpp"
#include "Ranking.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace teamsan {
namespace {

constexpr std::size_t widest_name = 30;

std::string place_text(Place const& place) {
  return place.known() ? fmt::format("{}:{}", place.file, place.line) : "unknown place";
}

void add(ComparedCounts& sum, TrafficCounts const& counts, std::uint64_t BeforeAfter::*side) {
  sum.requests.*side += counts.requests;
  sum.wavefronts.*side += counts.wavefronts;
  sum.sectors.*side += counts.sectors;
}

using LineKey = std::pair<std::string, unsigned>;  ///< what the line does and reads, and how manieth such line

void add_lines(std::map<LineKey, ComparedLine>& lines, ReportedTraffic const& kernel, std::uint64_t BeforeAfter::*side) {
  std::vector<ReportedSite const*> sites;
  for (ReportedSite const& s : kernel.sites) sites.push_back(&s);
  std::ranges::stable_sort(sites, {}, [](ReportedSite const* s) { return std::pair(s->place.file, s->place.line); });
  std::map<std::string, unsigned> seen;
  for (ReportedSite const* const s : sites) {
    std::string const source = normalised_source(s->source);
    std::string const operation = fmt::format("{} of {}, {}", operation_name(s->site.operation),
                                              counted(s->site.bytes_per_lane, "byte"), data_name(s->site.data, s->site.banked));
    std::string const key =
        fmt::format("{}\n{}\n{}", source.empty() ? place_text(s->place) : source, operation, s->site.banked);
    ComparedLine& line = lines[{key, seen[key]++}];
    line.where = place_text(s->place);
    line.source = source;
    line.operation = operation;
    line.banked = s->site.banked;
    add(line.counts, s->site.counts, side);
  }
}

ReportedTraffic const* kernel_named(Report const& report, std::string const& name) {
  auto const found = std::ranges::find(report.kernels, name, &ReportedTraffic::kernel);
  return found == report.kernels.end() ? nullptr : &*found;
}

RankedKernel const* ranked_as(std::vector<RankedKernel> const& all, ReportedTraffic const* kernel) {
  auto const found = std::ranges::find(all, kernel, &RankedKernel::kernel);
  return found == all.end() ? nullptr : &*found;
}

ComparedKernel compare_kernels(std::string const& name, ReportedTraffic const* before, ReportedTraffic const* after,
                               RankedKernel const* cost_before, RankedKernel const* cost_after) {
  ComparedKernel result;
  result.name = name;
  result.before = before != nullptr;
  result.after = after != nullptr;
  std::map<LineKey, ComparedLine> lines;
  if (before != nullptr) {
    add(result.counts, all_counts(*before), &BeforeAfter::before);
    add_lines(lines, *before, &BeforeAfter::before);
  }
  if (after != nullptr) {
    add(result.counts, all_counts(*after), &BeforeAfter::after);
    add_lines(lines, *after, &BeforeAfter::after);
  }
  if (cost_before != nullptr) {
    result.bytes.before = cost_before->bytes.moved;
    result.seconds_before = cost_before->cost.seconds();
  }
  if (cost_after != nullptr) {
    result.bytes.after = cost_after->bytes.moved;
    result.seconds_after = cost_after->cost.seconds();
  }
  for (auto& [key, line] : lines)
    if (!line.counts.same()) result.lines.push_back(std::move(line));
  auto const change = [](ComparedLine const& l) {
    auto const of = [](BeforeAfter const& n) { return n.before > n.after ? n.before - n.after : n.after - n.before; };
    return of(l.counts.wavefronts) + of(l.counts.sectors);
  };
  std::ranges::stable_sort(result.lines, [&](auto const& a, auto const& b) { return change(a) > change(b); });
  return result;
}

std::string device_of(Report const& report) {
  return report.program.device.empty() ? "several devices" : report.program.device;
}

std::string finding_line(ReportedFinding const& found) {
  Place const place = place_to_review(found);
  return joined_parts({found.id, fmt::format("{} {}", severity_name(found.finding.severity), rule_id(found.finding.rule)),
                       place_text(place), fmt::format("kernel \"{}\"", clipped(found.finding.kernel, widest_name)),
                       found.finding.title},
                      "  ");
}

std::string both(BeforeAfter const& n) {
  return fmt::format("{:>15}{:>15}{:>8}", with_commas(n.before), with_commas(n.after), n.ratio());
}

std::string microseconds(double seconds) { return fmt::format("{:.1f} us", seconds * 1e6); }

nlohmann::ordered_json json_of(BeforeAfter const& n) { return {{"a", n.before}, {"b", n.after}}; }
nlohmann::ordered_json json_of(ComparedCounts const& c) {
  return {{"requests", json_of(c.requests)}, {"wavefronts", json_of(c.wavefronts)}, {"sectors", json_of(c.sectors)}};
}
nlohmann::ordered_json json_of(ReportedFinding const& found) {
  Place const place = place_to_review(found);
  return {{"id", found.id},
          {"rule", rule_id(found.finding.rule)},
          {"severity", severity_name(found.finding.severity)},
          {"title", found.finding.title},
          {"kernel", found.finding.kernel},
          {"file", place.file},
          {"line", place.line},
          {"count", found.finding.count}};
}

}  // namespace

std::string BeforeAfter::ratio() const {
  if (before == 0) return after == 0 ? "-" : "new";
  if (after == 0) return "gone";
  double const times = static_cast<double>(after) / static_cast<double>(before);
  return times >= 99.995 ? fmt::format("x{:.0f}", times) : fmt::format("x{:.2f}", times);
}

std::uint64_t ReportComparison::worse() const {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(fresh, [](auto const& f) { return f.finding.severity != Severity::info; }));
}

ReportComparison compare_reports(Report const& given_first, std::string const& first_name, Report const& given_second,
                                 std::string const& second_name) {
  Report const first = presentable(given_first), second = presentable(given_second);
  ReportComparison result;
  result.first = first_name;
  result.second = second_name;
  result.first_device = device_of(first);
  result.second_device = device_of(second);
  std::map<std::string, ReportedFinding const*> after;
  for (ReportedFinding const& found : second.findings) after.emplace(found.id, &found);
  auto const find_of = [&](std::string const& id) {
    auto const same = after.find(id);
    if (same != after.end()) return same;
    return std::ranges::find_if(
        after, [&](auto const& one) { return names_finding(id, one.first) || names_finding(one.first, id); });
  };
  for (ReportedFinding const& found : first.findings) {
    auto const still = find_of(found.id);
    if (still == after.end()) {
      result.gone.push_back(found);
    } else {
      result.kept.emplace_back(found, *still->second);
      after.erase(still);
    }
  }
  for (ReportedFinding const& found : second.findings)
    if (after.contains(found.id)) result.fresh.push_back(found);
  std::vector<RankedKernel> const cost_first = ranking(first), cost_second = ranking(second);
  for (ReportedTraffic const& kernel : first.kernels) {
    ReportedTraffic const* const now = kernel_named(second, kernel.kernel);
    result.kernels.push_back(
        compare_kernels(kernel.kernel, &kernel, now, ranked_as(cost_first, &kernel), ranked_as(cost_second, now)));
  }
  for (ReportedTraffic const& kernel : second.kernels)
    if (kernel_named(first, kernel.kernel) == nullptr)
      result.kernels.push_back(compare_kernels(kernel.kernel, nullptr, &kernel, nullptr, ranked_as(cost_second, &kernel)));
  return result;
}

std::string comparison_table(ReportComparison const& comparison) {
  if (comparison.kernels.empty()) return {};
  std::string text = fmt::format(" {:<32}{:>15}{:>15}{:>8}\n", "Kernel", "A", "B", "B/A");
  for (ComparedKernel const& kernel : comparison.kernels) {
    text += fmt::format(" {}\n", clipped(kernel.name, 2 * widest_name));
    auto const row = [&](char const* name, BeforeAfter const& n) {
      if (n.before != 0 || n.after != 0) text += fmt::format("   {:<30}{}\n", name, both(n));
    };
    row("requests", kernel.counts.requests);
    row("wavefronts of scratch", kernel.counts.wavefronts);
    row("sectors of device memory", kernel.counts.sectors);
    row("bytes moved", kernel.bytes);
    if (kernel.seconds_before != 0 || kernel.seconds_after != 0)
      text +=
          fmt::format("   {:<30}{:>15}{:>15}{:>8}\n", "modelled time at least", microseconds(kernel.seconds_before),
                      microseconds(kernel.seconds_after),
                      kernel.seconds_before == 0 ? "-" : fmt::format("x{:.2f}", kernel.seconds_after / kernel.seconds_before));
  }
  return text;
}

std::string comparison_text(ReportComparison const& c) {
  std::string text = fmt::format("==== teamsan: compare: {} gone, {} new, {} kept ====\n", counted(c.gone.size(), "finding"),
                                 c.fresh.size(), c.kept.size());
  text += entry("A", fmt::format("{}  on {}", c.first, c.first_device));
  text += entry("B", fmt::format("{}  on {}", c.second, c.second_device));
  for (ReportedFinding const& found : c.gone) text += entry("Gone", finding_line(found));
  for (ReportedFinding const& found : c.fresh) text += entry("New", finding_line(found));
  for (auto const& [before, after] : c.kept)
    if (before.finding.count != after.finding.count)
      text += entry("Kept", fmt::format("{}\n{}{} before, {} now", finding_line(after), std::string(text_indent, ' '),
                                        counted(before.finding.count, rule_info(before.finding.rule).counted),
                                        with_commas(after.finding.count)));
  if (!c.kernels.empty()) text += '\n' + comparison_table(c);
  constexpr std::size_t most_lines = 10;
  for (ComparedKernel const& kernel : c.kernels) {
    if (kernel.lines.empty()) continue;
    text += fmt::format("\n Lines of {} that differ{:>{}}{:>15}{:>8}\n", clipped(kernel.name, widest_name), "A",
                        48 - 9 - 13 - std::min(kernel.name.size(), widest_name), "B", "B/A");
    for (ComparedLine const& line : kernel.lines) {
      if (&line - kernel.lines.data() == most_lines) {
        text += fmt::format("   and {}\n", counted(kernel.lines.size() - most_lines, "more line"));
        break;
      }
      text += fmt::format("   {}  {}  {}\n", line.where, line.operation, clipped(line.source, 60));
      text += fmt::format("     {:<28}{}\n", line.banked ? "wavefronts" : "sectors",
                          both(line.banked ? line.counts.wavefronts : line.counts.sectors));
    }
  }
  return text;
}

std::string comparison_json(ReportComparison const& c) {
  using Json = nlohmann::ordered_json;
  auto const findings = [](std::vector<ReportedFinding> const& all) {
    Json list = Json::array();
    for (ReportedFinding const& found : all) list.push_back(json_of(found));
    return list;
  };
  Json kept = Json::array(), kernels = Json::array();
  for (auto const& [before, after] : c.kept) {
    kept.push_back(json_of(after));
    kept.back()["count_before"] = before.finding.count;
  }
  for (ComparedKernel const& kernel : c.kernels) {
    Json lines = Json::array();
    for (ComparedLine const& line : kernel.lines)
      lines.push_back({{"where", line.where},
                       {"source", line.source},
                       {"operation", line.operation},
                       {"memory", line.banked ? "scratch" : "global"},
                       {"counts", json_of(line.counts)}});
    kernels.push_back({{"kernel", kernel.name},
                       {"in_a", kernel.before},
                       {"in_b", kernel.after},
                       {"counts", json_of(kernel.counts)},
                       {"bytes_moved", json_of(kernel.bytes)},
                       {"seconds", {{"a", kernel.seconds_before}, {"b", kernel.seconds_after}}},
                       {"lines", lines}});
  }
  Json const json{{"format", "teamsan-report-comparison"},
                  {"version", 1},
                  {"a", {{"report", c.first}, {"device", c.first_device}}},
                  {"b", {{"report", c.second}, {"device", c.second_device}}},
                  {"gone", findings(c.gone)},
                  {"new", findings(c.fresh)},
                  {"kept", kept},
                  {"kernels", kernels}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace teamsan
