// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TrafficTable.hpp"

#include "../base/MemoryName.hpp"
#include "../findings/TextLayout.hpp"
#include "JsonNames.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

namespace teamsan {
namespace {

constexpr std::size_t worst_sites = 3;  ///< printed of each kernel

constexpr std::pair<IdleCause, std::string_view> idle_texts[] = {
    {IdleCause::team, "idle as teams fill no warp"},       {IdleCause::vector, "as vector loops are short"},
    {IdleCause::range, "at the end of ranges"},            {IdleCause::branch, "by branches"},
    {IdleCause::single, "by Kokkos::single"}};

/// "32", "2.5", "1.02": few digits after the point, none where they would be zero.
std::string short_ratio(double ratio) {
  if (ratio < 1.05) return fmt::format("{:.2f}", std::max(ratio, 1.01));
  std::string text = fmt::format("{:.1f}", ratio);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

std::string_view preposition(model::Operation operation) {
  switch (operation) {
    case model::Operation::load:
      return "from";
    case model::Operation::store:
      return "to";
    case model::Operation::atomic:
      return "on";
  }
  return "";
}

std::string rows(std::array<TrafficRow, 6> const& all, bool banked) {
  std::string text;
  for (TrafficRow const& row : all) {
    if (row.banked != banked || row.counts->requests == 0) continue;
    if (text.empty())
      text = fmt::format(" {:<8}{:<8}{:>15}{:>17}{:>17}{:>14}\n", banked ? "Scratch" : "Global", "",
                         "requests", banked ? "wavefronts" : "sectors", "ideal", "per request");
    text += fmt::format("         {:<8}{:>15}{:>17}{:>17}{:>14.1f}\n", row.name,
                        with_commas(row.counts->requests), with_commas(row.cost()), with_commas(row.ideal()),
                        static_cast<double>(row.cost()) / static_cast<double>(row.counts->requests));
  }
  return text;
}

/// In short: findings quote the line and say what would help.
std::string site_lines(ReportedSite const& found, ReportedTraffic const& traffic) {
  AccessSite const& site = found.site;
  std::string const where =
      found.place.known() ? fmt::format("{}:{}", found.place.file, found.place.line) : "unknown place";
  std::vector<std::string> const parts{
      where,
      fmt::format("{} of {} {} {}", operation_name(site.operation), counted(site.bytes_per_lane, "byte"),
                  preposition(site.operation), data_name(site.data, site.banked)),
      fmt::format("{}, {:.1f} % of the kernel's {}", degree(found), 100 * share_of_kernel(found, traffic),
                  site.banked ? "wavefronts" : "sectors")};
  return entry("Worst", joined_parts(parts, "  "));
}

/// A line of the table, and a sentence of the page; nothing where there is nothing to say.
struct Remark {
  std::string_view name;
  std::vector<std::string> parts;

  std::string line() const { return parts.empty() ? std::string() : entry(name, joined_parts(parts, "  ")); }
  std::string sentence() const { return fmt::format("{}: {}", name, fmt::join(parts, "; ")); }
};

/// What of the lanes' places stays empty, and why. Nothing where all lanes take part in all.
Remark lane_remark(ReportedTraffic const& traffic) {
  TrafficCounts const all = all_counts(traffic);
  std::uint64_t const places = all.requests * traffic.warp_width;
  if (all.lane_accesses == places) return {};
  std::vector<std::string> parts{fmt::format("{:.1f} of {} active in a warp's access",
                                             static_cast<double>(all.lane_accesses) / static_cast<double>(all.requests),
                                             traffic.warp_width)};
  for (auto const& [cause, text] : idle_texts)
    if (std::uint64_t const idle = all.idle_of(cause); idle != 0)
      parts.push_back(fmt::format("{} {:.1f} %", text, 100.0 * static_cast<double>(idle) / static_cast<double>(places)));
  return {"Lanes", std::move(parts)};
}

/// What Kokkos' own code adds to the kernel's, on the device.
Remark own_remark(OwnTraffic const& own) {
  if (own.scratch_loads.requests == 0 && own.scratch_stores.requests == 0) return {};
  return {"Kokkos",
          {fmt::format("its reductions and scans add {} and {} of scratch (not counted here)",
                       counted(own.scratch_loads.requests, "load"), counted(own.scratch_stores.requests, "store"))}};
}

/// The line whose atomics wait most for each other.
Remark contention_remark(ReportedTraffic const& traffic) {
  ReportedSite const* most = nullptr;
  for (ReportedSite const& s : traffic.sites)
    if (s.site.operation == model::Operation::atomic && !s.site.contention.hottest.empty() &&
        (most == nullptr || s.site.contention.wanted > most->site.contention.wanted))
      most = &s;
  if (most == nullptr) return {};
  Contention const& c = most->site.contention;
  std::vector<std::string> parts{
      fmt::format("{:.1f} lanes of a warp on one address, {} at worst",
                  static_cast<double>(c.wanted) / static_cast<double>(most->site.counts.requests), c.worst)};
  constexpr std::size_t told = 3;
  for (HotAddress const& hot : c.hottest) {
    if (&hot - c.hottest.data() == told) break;
    std::string const teams = most->site.banked ? "" : " by " + counted(hot.teams, "team");
    parts.push_back(fmt::format("{}{}: {}{}", data_name(most->site.data, most->site.banked), hot.index,
                                counted(hot.updates, "update"), teams));
  }
  return {"Atomics", std::move(parts)};
}

/// Of the launch that fills multiprocessors least.
Remark residency_remark(Residency const& residency) {
  if (!residency.known()) return {};
  auto const& [launch, league, calls, team, resident, waves] = residency;
  std::string takes = counted(team.lanes, "lane");
  if (team.scratch != 0) takes += fmt::format(", {} bytes of scratch", with_commas(team.scratch));
  if (team.registers_per_lane != 0) takes += fmt::format(", {} a lane", counted(team.registers_per_lane, "register"));
  std::vector<std::string> parts{fmt::format("{} resident on a multiprocessor", resident.teams),
                                 fmt::format("{} of {} warps", resident.warps, resident.most_warps),
                                 fmt::format("limited by {}{}", json::word_of(json::occupancy_limits, resident.limit),
                                             team.registers_per_lane == 0 ? " (registers not counted)" : ""),
                                 "a team takes " + takes,
                                 fmt::format("{}, the last {:.1f} % full, {:.1f} % of all places for teams empty",
                                             counted(waves.count, "wave"), 100 * waves.last_fill, 100 * waves.empty())};
  return {"Teams", std::move(parts)};
}

/// In the order in which they are told.
std::array<Remark, 4> remarks_of(ReportedTraffic const& traffic) {
  return {residency_remark(traffic.residency), lane_remark(traffic), contention_remark(traffic), own_remark(traffic.own)};
}

}  // namespace

MovedBytes moved_bytes(ReportedTraffic const& traffic, model::Device const& device) {
  MovedBytes bytes;
  for (TrafficRow const& row : traffic_rows(traffic)) {
    if (row.banked) continue;
    bytes.moved += row.cost() * device.sector_bytes;
    bytes.ideal += row.ideal() * device.sector_bytes;
  }
  for (ReportedSite const& found : traffic.sites)
    if (!found.site.banked) bytes.asked += found.site.counts.lane_accesses * found.site.bytes_per_lane;
  return bytes;
}

namespace {

std::string space_of(AccessSite const& site) {
  if (site.banked) return "scratch level 0";
  if (site.data.kind == Data::Kind::scratch) return fmt::format("scratch level {}", site.data.scratch_level);
  return memory_name(site.data.address);
}

constexpr std::string_view spaces_in_order[] = {"device memory", "shared memory", "host-pinned memory", "scratch level 1",
                                                "scratch level 0"};

/// "device memory: 12,288 moved, 8,192 if coalesced, 8,192 asked for by the lanes"
std::string bytes_text(SpaceBytes const& space) {
  MovedBytes const& bytes = space.bytes;
  if (space.name == spaces_in_order[4])
    return fmt::format("{}: {} asked for by the lanes, in wavefronts that could give {}", space.name, with_commas(bytes.asked),
                       with_commas(bytes.moved));
  return fmt::format("{}: {} moved, {} if coalesced, {} asked for by the lanes", space.name, with_commas(bytes.moved),
                     with_commas(bytes.ideal), with_commas(bytes.asked));
}

std::string bytes_lines(ReportedTraffic const& traffic, model::Device const& device) {
  std::string text;
  for (SpaceBytes const& space : bytes_by_space(traffic, device))
    text += entry(text.empty() ? "Bytes" : "", wrapped(bytes_text(space)));
  return text;
}

}  // namespace

std::vector<SpaceBytes> bytes_by_space(ReportedTraffic const& traffic, model::Device const& device) {
  std::vector<SpaceBytes> spaces;
  for (std::string_view const name : spaces_in_order) spaces.push_back({std::string(name), {}});
  for (ReportedSite const& found : traffic.sites) {
    AccessSite const& site = found.site;
    std::uint64_t const unit = site.banked ? std::uint64_t{device.banks} * device.bank_width : device.sector_bytes;
    auto const space = std::ranges::find(spaces, space_of(site), &SpaceBytes::name);
    if (space == spaces.end()) continue;
    space->bytes.moved += found.cost() * unit;
    space->bytes.ideal += found.ideal() * unit;
    space->bytes.asked += site.counts.lane_accesses * site.bytes_per_lane;
  }
  std::erase_if(spaces, [](SpaceBytes const& s) { return s.bytes.asked == 0; });
  return spaces;
}

MemoryRoof memory_roof(ReportedTraffic const& traffic, model::Device const& device) {
  MemoryRoof roof;
  auto const moved = static_cast<double>(moved_bytes(traffic, device).moved);
  if (device.memory_rate == 0 || device.double_rate == 0 || moved == 0) return roof;
  roof.operations_per_byte = device.double_rate / device.memory_rate;
  roof.operations = moved * roof.operations_per_byte;
  roof.seconds = moved / device.memory_rate;
  return roof;
}

std::string roof_sentence(ReportedTraffic const& traffic, model::Device const& device) {
  MemoryRoof const roof = memory_roof(traffic, device);
  if (roof.operations == 0) return {};
  return fmt::format("memory ({:.2f} TB/s) bounds it below {:.1f} double-precision operations a byte moved, {} in all; above, "
                     "arithmetic does ({:.1f} TFLOP/s)",
                     device.memory_rate / 1e12, roof.operations_per_byte,
                     with_commas(static_cast<std::uint64_t>(roof.operations)), device.double_rate / 1e12);
}

std::array<TrafficRow, 6> traffic_rows(ReportedTraffic const& traffic) {
  return {{{true, "loads", &traffic.shared_loads},
           {true, "stores", &traffic.shared_stores},
           {true, "atomics", &traffic.shared_atomics},
           {false, "loads", &traffic.global_loads},
           {false, "stores", &traffic.global_stores},
           {false, "atomics", &traffic.global_atomics}}};
}

double share_of_kernel(ReportedSite const& site, ReportedTraffic const& traffic) {
  std::uint64_t total = 0;
  for (TrafficRow const& row : traffic_rows(traffic))
    if (row.banked == site.site.banked) total += row.cost();
  return total == 0 ? 0 : static_cast<double>(site.cost()) / static_cast<double>(total);
}

double times_ideal(ReportedSite const& site) {
  return site.ideal() == 0 ? 1 : static_cast<double>(site.cost()) / static_cast<double>(site.ideal());
}

std::string degree(ReportedSite const& site) {
  if (site.cost() == site.ideal()) return "no excess";
  std::string const ratio = short_ratio(times_ideal(site));
  return site.site.banked ? ratio + "-way" : ratio + " times the ideal";
}

std::string_view operation_name(model::Operation operation) {
  switch (operation) {
    case model::Operation::load:
      return "load";
    case model::Operation::store:
      return "store";
    case model::Operation::atomic:
      return "atomic";
  }
  return "";
}

std::string data_name(Data const& data, bool banked) {
  if (!data.label.empty()) return data.label;
  if (banked || data.kind == Data::Kind::scratch) return fmt::format("scratch level {}", data.scratch_level);
  return "global memory";
}

std::string counted_part(ReportedTraffic const& traffic) {
  std::string const teams = traffic.teams == traffic.teams_of_all
                                ? counted(traffic.teams, "team")
                                : fmt::format("{} of {} counted", with_commas(traffic.teams),
                                              counted(traffic.teams_of_all, "team"));
  return fmt::format("{}, {}", counted(traffic.launches, "launch"), teams);
}

std::vector<std::string> kernel_sentences(ReportedTraffic const& traffic) {
  std::vector<std::string> sentences;
  for (Remark const& remark : remarks_of(traffic))
    if (!remark.parts.empty()) sentences.push_back(remark.sentence());
  return sentences;
}

std::string traffic_table(ReportedTraffic const& traffic, ProgramFacts const& program, std::size_t number,
                          std::size_t total) {
  std::string text =
      header_line(fmt::format("memory traffic{}", program.device.empty() ? "" : " on " + program.device),
                  fmt::format("kernel {} of {}", number, total)) +
      '\n';

  constexpr std::size_t max_label = 70;
  std::string const& label = traffic.kernel;
  std::string const shown = label.size() <= max_label ? label : label.substr(0, max_label - 3) + "...";
  text += entry("Kernel",
                joined_parts({fmt::format("\"{}\"", shown), traffic.policy, counted_part(traffic)}, "  "));
  for (Remark const& remark : remarks_of(traffic)) text += remark.line();
  auto const all = traffic_rows(traffic);
  text += rows(all, true);
  text += rows(all, false);
  model::Device const* device = model::find_device(program.device_name);
  if (device != nullptr) {
    text += bytes_lines(traffic, *device);
    if (std::string const roof = roof_sentence(traffic, *device); !roof.empty()) text += entry("Roof", wrapped(roof));
  }
  std::size_t printed = 0;
  for (ReportedSite const& site : traffic.sites) {
    if (printed == worst_sites || site.excess() == 0) break;
    text += site_lines(site, traffic);
    ++printed;
  }
  return text;
}

std::string traffic_tables(Report const& report, std::size_t most) {
  std::string text;
  std::size_t const total = report.kernels.size(), printed = std::min(total, most);
  for (std::size_t i = 0; i < printed; ++i)
    text += traffic_table(report.kernels[i], report.program, i + 1, total) + '\n';
  if (printed < total)
    text += fmt::format("==== teamsan: {} not printed: see --print-limit ====\n",
                        counted(total - printed, "more kernel"));
  return text;
}

}  // namespace teamsan
