// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CsvReport.hpp"

#include "JsonNames.hpp"
#include "Presentable.hpp"
#include "Ranking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace teamsan {
namespace {

using Row = std::vector<std::pair<std::string, std::string>>;  ///< column, value

std::string quoted_field(std::string const& text) {
  if (text.find_first_of("\",\r\n") == std::string::npos) return text;
  std::string field = "\"";
  for (char const c : text) {
    if (c == '"') field += '"';
    field += c;
  }
  return field + '"';
}

std::string number(std::uint64_t value) { return fmt::format("{}", value); }
std::string number(double value) { return fmt::format("{:.6g}", value); }

void add_cost(Row& row, RankedKernel const* ranked) {
  auto const add = [&](char const* name, auto value) {
    row.emplace_back(name, ranked == nullptr ? "" : number(value(*ranked)));
  };
  add("modelled-time", [](RankedKernel const& r) { return r.cost.seconds(); });
  add("modelled-time-per-call", [](RankedKernel const& r) {
    return r.cost.seconds() / static_cast<double>(std::max<std::uint64_t>(r.kernel->launches, 1));
  });
  add("percent-of-program", [](RankedKernel const& r) { return 100 * r.share; });
  row.emplace_back("bound-by", ranked == nullptr ? "" : std::string(bound_name(ranked->cost.bound())));
  add("bytes-moved", [](RankedKernel const& r) { return r.bytes.moved; });
  add("bytes-ideal", [](RankedKernel const& r) { return r.bytes.ideal; });
  add("bytes-asked", [](RankedKernel const& r) { return r.bytes.asked; });
}

void add_residency(Row& row, Residency const& residency) {
  bool const known = residency.known();
  auto const add = [&](char const* name, auto value) { row.emplace_back(name, known ? number(value) : ""); };
  add("occupancy-percent", 100 * residency.resident.share());
  row.emplace_back("occupancy-limit",
                   known ? std::string(json::word_of(json::occupancy_limits, residency.resident.limit)) : "");
  add("teams-per-multiprocessor", std::uint64_t{residency.resident.teams});
  add("waves", residency.waves.count);
  add("last-wave-fill-percent", 100 * residency.waves.last_fill);
  add("tail-idle-percent", 100 * residency.waves.empty());
}

void add_lanes(Row& row, ReportedTraffic const& kernel) {
  TrafficCounts const all = all_counts(kernel);
  row.emplace_back("warp-width", number(std::uint64_t{kernel.warp_width}));
  row.emplace_back("active-lanes-per-access", all.requests == 0 ? "" : number(static_cast<double>(all.lane_accesses) /
                                                                              static_cast<double>(all.requests)));
  for (auto const& [cause, name] : json::idle_cause_names) {
    std::string column = "idle-lanes-" + std::string(name);
    std::ranges::replace(column, '_', '-');
    row.emplace_back(std::move(column), number(all.idle_of(cause)));
  }
}

Row row_of(ReportedTraffic const& kernel, RankedKernel const* ranked) {
  Row row{{"kernel-name", kernel.kernel},
          {"kernel-type", kernel.policy},
          {"call-count", number(kernel.launches)},
          {"teams", number(kernel.teams_of_all)},
          {"teams-counted", number(kernel.teams)}};
  add_cost(row, ranked);
  add_residency(row, kernel.residency);
  add_lanes(row, kernel);
  for (TrafficRow const& direction : traffic_rows(kernel)) {
    std::string const name = fmt::format("{}-{}", direction.banked ? "scratch" : "global", direction.name);
    row.emplace_back(name + "-requests", number(direction.counts->requests));
    row.emplace_back(name + (direction.banked ? "-wavefronts" : "-sectors"), number(direction.cost()));
    row.emplace_back(name + (direction.banked ? "-ideal-wavefronts" : "-ideal-sectors"), number(direction.ideal()));
  }
  row.emplace_back("kokkos-scratch-loads-requests", number(kernel.own.scratch_loads.requests));
  row.emplace_back("kokkos-scratch-stores-requests", number(kernel.own.scratch_stores.requests));
  return row;
}

}  // namespace

std::string csv_report(Report const& given) {
  Report const report = presentable(given);
  std::vector<RankedKernel> const ranked = ranking(report);
  std::vector<Row> rows;
  rows.reserve(ranked.size());
  for (RankedKernel const& r : ranked) rows.push_back(row_of(*r.kernel, &r));
  if (ranked.empty())
    for (ReportedTraffic const& kernel : report.kernels) rows.push_back(row_of(kernel, nullptr));
  std::string text;
  auto const add_line = [&](Row const& row, auto part) {
    for (auto const& cell : row) text += (&cell == row.data() ? "" : ",") + quoted_field(part(cell));
    text += '\n';
  };
  add_line(rows.empty() ? row_of({}, nullptr) : rows.front(), [](auto const& cell) { return cell.first; });
  for (Row const& row : rows) add_line(row, [](auto const& cell) { return cell.second; });
  return text;
}

}  // namespace teamsan
