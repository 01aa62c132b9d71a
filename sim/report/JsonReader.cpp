// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <teamsan/sim/report/JsonReader.hpp>

#include <teamsan/sim/base/CheckList.hpp>
#include <teamsan/sim/base/ReportFile.hpp>
#include <teamsan/sim/report/JsonNames.hpp>
#include <teamsan/sim/report/JsonReport.hpp>
#include <teamsan/traces/InputFile.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <concepts>
#include <utility>

namespace teamsan {
namespace {

using Json = nlohmann::json;

std::string shown(Json const& json) {
  constexpr std::size_t most = 40;
  if (json.is_structured()) return json.is_array() ? "a list" : "an object";
  std::string const text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() <= most ? text : text.substr(0, most) + "...";
}

/// A number that is none of the field's type is no smaller or larger one.
template <std::integral T>
void take(Json const& json, char const* field, T& value) {
  auto const fits = [&] {
    if constexpr (std::same_as<T, bool>)
      return json.is_boolean();
    else if (json.is_number_unsigned())
      return std::in_range<T>(json.get<std::uint64_t>());
    else
      return json.is_number_integer() && std::in_range<T>(json.get<std::int64_t>());
  };
  if (!fits()) throw ReportReadError(fmt::format("its \"{}\" is {}", field, shown(json)));
  json.get_to(value);
}
template <class T>
void take(Json const& json, char const*, T& value) {
  json.get_to(value);
}

/// Leaves `value` as it is where the report, an older one, lacks the field.
template <class T>
void read(Json const& json, char const* field, T& value) {
  if (auto const found = json.find(field); found != json.end() && !found->is_null()) take(*found, field, value);
}

/// The same for what pictures and tables are drawn by.
template <std::integral T>
void read(Json const& json, char const* field, T& value, T least, T most) {
  read(json, field, value);
  if (value < least || value > most)
    throw ReportReadError(fmt::format("its \"{}\" is {}, and {} to {} is possible", field, value, least, most));
}

template <class T, std::size_t n>
void read(Json const& json, char const* field, json::Name<T> const (&names)[n], T& value) {
  std::string word;
  read(json, field, word);
  if (auto const known = json::value_of(names, word)) value = *known;
}

Json const& part(Json const& json, char const* field) {
  static Json const nothing = nullptr;
  auto const found = json.find(field);
  return found == json.end() ? nothing : *found;
}

Place place_of(Json const& json) {
  Place place;
  if (json.is_null()) return place;
  read(json, "file", place.file);
  read(json, "line", place.line);
  read(json, "column", place.column);
  read(json, "function", place.function);
  place.path = place.file;
  read(json, "path", place.path);
  read(json, "internal", place.internal);
  return place;
}

Data data_of(Json const& json) {
  Data data;
  if (json.is_null()) return data;
  read(json, "kind", json::data_kinds, data.kind);
  read(json, "label", data.label);
  read(json, "shape", data.shape);
  read(json, "index", data.index);
  read(json, "within", data.within);
  read(json, "field", data.field);
  read(json, "scratch_level", data.scratch_level);
  std::int64_t offset = 0;
  read(json, "offset", offset);
  data.offset = static_cast<std::uint64_t>(offset);
  read(json, "bytes", data.bytes);
  read(json, "element_bytes", data.element_bytes);
  return data;
}

ReportedSide side_of(Json const& json) {
  ReportedSide reported;
  Side& side = reported.side;
  read(json, "access", json::access_kinds, side.access);
  read(json, "bytes", side.bytes);
  reported.trail.place = place_of(part(json, "place"));
  for (Json const& caller : part(json, "callers")) reported.trail.callers.push_back(place_of(caller));
  read(json, "function", reported.trail.function);
  read(json, "source", reported.source);
  read(json, "role", side.role);
  read(json, "actor", side.actor);
  bool has_code = reported.trail.place.known();
  read(json, "has_code", has_code);
  side.pc = has_code;  // where it lay has no meaning any more
  if (Json const& lane = part(json, "lane"); !lane.is_null()) {
    side.has_lane = true;
    read(lane, "league", side.league);
    read(lane, "thread", side.thread);
    read(lane, "lane", side.vector_lane);
    read(lane, "warp", side.warp);
  }
  side.has_interval = !part(json, "interval").is_null();
  read(json, "interval", side.interval);
  return reported;
}

WordLife life_of(Json const& json) {
  WordLife life;
  if (!json.is_object()) return life;
  read(json, "left_out", life.left_out);
  for (Json const& entry : part(json, "touches")) {
    WordTouch& t = life.touches.emplace_back();
    read(entry, "interval", t.interval);
    read(entry, "league", t.league);
    read(entry, "thread", t.thread);
    read(entry, "lane", t.vector_lane);
    read(entry, "access", json::access_kinds, t.access);
    read(entry, "bytes", t.bytes);
    read(entry, "count", t.count);
    t.place = place_of(part(entry, "place"));
    read(entry, "source", t.source);
    read(entry, "side", t.side);
  }
  return life;
}

ReportedFinding finding_of(Json const& json) {
  ReportedFinding found;
  Finding& finding = found.finding;
  finding.rule = parse_rule(json.at("rule").get<std::string>());
  read(json, "id", found.id);
  read(json, "severity", json::severities, finding.severity);
  read(json, "title", finding.title);
  read(json, "kernel", finding.kernel);
  read(json, "policy", finding.policy);
  read(json, "launch", finding.launch);
  read(json, "region", finding.region);
  for (Json const& call : part(json, "launched")) found.launched.push_back(place_of(call));
  Json const& data = part(json, "data");
  finding.data = data_of(data);
  if (!data.is_null()) found.obtained = place_of(part(data, "obtained"));
  for (Json const& side : part(json, "sides")) {
    found.sides.push_back(side_of(side));
    finding.sides.push_back(found.sides.back().side);
  }
  read(json, "message", finding.message);
  read(json, "why", found.why);
  read(json, "fix", found.fix);
  for (Json const& reason : part(json, "reasons")) finding.why.push_back({reason_named(reason.get<std::string>())});
  std::string cure;
  read(json, "cure", cure);
  finding.fix.kind = cure_named(cure);
  read(json, "count", finding.count);
  read(json, "teams", finding.teams);
  read(json, "league_size", finding.league_size);
  read(json, "launches", found.launches);
  read(json, "kernel_launch", found.kernel_launch);
  read(json, "sync_alone", finding.sync_alone);
  read(json, "on_team_order", finding.on_team_order);
  read(json, "reports", found.reports);
  read(json, "of_reports", found.of_reports);
  found.life = life_of(part(json, "life"));
  return found;
}

TrafficCounts counts_of(Json const& json) {
  TrafficCounts counts;
  if (json.is_null()) return counts;
  read(json, "requests", counts.requests);
  read(json, "lane_accesses", counts.lane_accesses);
  read(json, "wavefronts", counts.wavefronts);
  read(json, "ideal_wavefronts", counts.ideal_wavefronts);
  read(json, "sectors", counts.sectors);
  read(json, "ideal_sectors", counts.ideal_sectors);
  for (auto const& [cause, name] : json::idle_cause_names)
    read(part(json, "idle_lanes"), std::string(name).c_str(), counts.idle[static_cast<std::size_t>(cause)]);
  return counts;
}

Contention contention_of(Json const& json) {
  Contention c;
  if (!json.is_object()) return c;
  read(json, "wanted", c.wanted);
  read(json, "worst_lanes", c.worst);
  read(json, "addresses", c.addresses);
  read(json, "one_in", c.one_in);
  for (Json const& entry : part(json, "hottest")) {
    HotAddress& hot = c.hottest.emplace_back();
    read(entry, "offset", hot.offset);
    read(entry, "index", hot.index);
    read(entry, "updates", hot.updates);
    read(entry, "teams", hot.teams);
  }
  return c;
}

WorstWarp worst_of(Json const& json) {
  WorstWarp worst;
  if (json.is_null()) return worst;
  read(json, "league", worst.league);
  read(json, "warp", worst.warp);
  read(json, "cost", worst.cost);
  read(json, "ideal", worst.ideal);
  read(json, "occurrence", worst.occurrence);
  read(json, "launch", worst.launch);
  read(json, "vector_length", worst.vector_length, 1u, std::uint32_t{model::max_warp_width});
  read(json, "misalignment", worst.misalignment, 0u, 255u);
  read(json, "active", worst.active);
  std::size_t lane = 0;
  for (Json const& offset : part(json, "offsets")) {
    if (lane == worst.offsets.size()) break;
    constexpr std::int64_t most = std::int64_t{1} << 47;  // a pointer has no more
    std::int64_t& value = worst.offsets[lane++];
    take(offset, "offsets", value);
    if (value < -most || value > most)
      throw ReportReadError(fmt::format("one of its \"offsets\" is {}, further than memory reaches", value));
  }
  return worst;
}

Residency residency_of(Json const& json) {
  Residency residency;
  if (!json.is_object()) return residency;
  read(json, "launch", residency.launch);
  read(json, "league_size", residency.league);
  read(json, "lanes_per_team", residency.team.lanes);
  read(json, "scratch_per_team", residency.team.scratch);
  read(json, "registers_per_lane", residency.team.registers_per_lane);
  read(json, "teams", residency.resident.teams);
  read(json, "warps", residency.resident.warps);
  read(json, "most_warps", residency.resident.most_warps);
  for (auto const& [limit, name] : json::occupancy_limits) {
    std::uint32_t& teams = residency.resident.by[static_cast<std::size_t>(limit)];
    teams = model::Occupancy::unlimited;
    read(part(json, "teams_by"), std::string(name).c_str(), teams);
  }
  read(json, "limit", json::occupancy_limits, residency.resident.limit);
  read(json, "waves", residency.waves.count);
  read(json, "last_wave_fill", residency.waves.last_fill);
  return residency;
}

ReportedTraffic traffic_of(Json const& json) {
  ReportedTraffic kernel;
  read(json, "kernel", kernel.kernel);
  read(json, "policy", kernel.policy);
  read(json, "warp_width", kernel.warp_width, 1u, std::uint32_t{model::max_warp_width});
  read(json, "launches", kernel.launches);
  read(json, "teams", kernel.teams);
  read(json, "teams_of_all", kernel.teams_of_all);
  kernel.residency = residency_of(part(json, "residency"));
  kernel.shared_loads = counts_of(part(json, "scratch_loads"));
  kernel.shared_stores = counts_of(part(json, "scratch_stores"));
  kernel.shared_atomics = counts_of(part(json, "scratch_atomics"));
  kernel.global_loads = counts_of(part(json, "global_loads"));
  kernel.global_stores = counts_of(part(json, "global_stores"));
  kernel.global_atomics = counts_of(part(json, "global_atomics"));
  kernel.own.scratch_loads = counts_of(part(part(json, "kokkos_own"), "scratch_loads"));
  kernel.own.scratch_stores = counts_of(part(part(json, "kokkos_own"), "scratch_stores"));
  for (Json const& entry : part(json, "sites")) {
    ReportedSite site;
    site.place = place_of(part(entry, "place"));
    read(entry, "source", site.source);
    read(entry, "operation", json::operations, site.site.operation);
    read(entry, "bytes_per_lane", site.site.bytes_per_lane, 0u, 16u);
    std::string memory;
    read(entry, "memory", memory);
    site.site.banked = memory == "scratch";
    site.site.data = data_of(part(entry, "whole_data"));
    site.site.counts = counts_of(part(entry, "counts"));
    site.site.worst = worst_of(part(entry, "worst"));
    read(entry, "fix", site.fix);
    site.site.contention = contention_of(part(entry, "contention"));
    site.parted = place_of(part(entry, "parted"));
    kernel.sites.push_back(std::move(site));
  }
  return kernel;
}

MigrationCounts migrations_of(Json const& json) {
  MigrationCounts counts;
  if (!json.is_object()) return counts;
  read(json, "page_bytes", counts.page_bytes);
  read(json, "malloc_shared", counts.asked_for);
  for (Json const& allocation : part(json, "allocations")) {
    MigrationRow& row = counts.rows.emplace_back();
    read(allocation, "data", row.label);
    read(allocation, "allocations", row.allocations);
    read(allocation, "bytes", row.bytes);
    read(allocation, "pages", row.pages);
    read(allocation, "faults_to_device", row.faults_to_device);
    read(allocation, "faults_to_host", row.faults_to_host);
    read(allocation, "prefetched_to_device", row.prefetched_to_device);
    read(allocation, "prefetched_to_host", row.prefetched_to_host);
  }
  return counts;
}

ProgramFacts program_of(Json const& json) {
  ProgramFacts program;
  read(json, "launcher", program.launcher);
  read(json, "arguments", program.arguments);
  read(json, "flags", program.flags);
  read(json, "device", program.device_name);
  program.device = program.device_name;
  read(json, "device_title", program.device);
  read(json, "kernels", program.kernels);
  read(json, "kernel_names", program.kernel_names);
  read(json, "launches", program.launches);
  read(json, "launches_checked", program.launches_checked);
  read(json, "suppressed", program.suppressed);
  read(json, "crashed", program.crashed);
  read(json, "finished", program.finished);
  program.written = program.finished;  // of a report without the next field
  read(json, "written", program.written);
  read(json, "judged", program.judged);
  read(json, "reports", program.reports);
  read(json, "shard", program.shard);
  for (Json const& entry : part(json, "other_launches")) {
    OtherLaunches& other = program.other_launches.emplace_back();
    read(entry, "space", other.space);
    read(entry, "kernel", other.kernel);
    read(entry, "launches", other.launches);
  }
  read(json, "unchecked_libraries", program.unchecked_libraries);
  for (Json const& entry : part(json, "fixed")) {
    FixedFinding& fixed = program.fixed.emplace_back();
    read(entry, "id", fixed.id);
    read(entry, "rule", fixed.rule);
    read(entry, "kernel", fixed.kernel);
  }
  read(json, "notes", program.notes);
  return program;
}

}  // namespace

namespace {

Report report_of(Json const& json) {
  Report report;
  report.program = program_of(json.at("program"));
  for (Json const& found : json.at("findings")) report.findings.push_back(finding_of(found));
  for (Json const& kernel : part(json, "traffic")) report.kernels.push_back(traffic_of(kernel));
  report.migrations = migrations_of(part(json, "migrations"));
  return report;
}

}  // namespace

Report read_json_report(std::string_view text, std::string const& name) {
  Json const json = Json::parse(text, nullptr, false);
  if (json.is_discarded())
    throw ReportReadError(fmt::format("\"{}\" is no JSON: it is cut short, or not written by --report json=FILE", name));
  std::string format;
  if (json.is_object() && json.contains("format") && json["format"].is_string()) json["format"].get_to(format);
  if (format != "teamsan-report")
    throw ReportReadError(fmt::format("\"{}\" is no report of TeamSan: write one with --report json=FILE", name));
  Json const& version = part(json, "version");
  if (version != json_report_version)
    throw ReportReadError(fmt::format("\"{}\" is a report of version {}, and this teamsan reads version {}", name,
                                      shown(version), json_report_version));
  try {
    return report_of(json);
  } catch (std::exception const& error) {
    throw ReportReadError(fmt::format("\"{}\" is no whole report of TeamSan: {}", name, error.what()));
  }
}

Report read_json_report_file(std::string const& file) {
  try {
    return read_json_report(traces::read_text_file(from_start_directory(file)), file);
  } catch (traces::InputError const& error) {
    throw ReportReadError(fmt::format("cannot read \"{}\": {}", file, error.what()));
  }
}

}  // namespace teamsan
