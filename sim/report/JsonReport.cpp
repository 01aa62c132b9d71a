// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <teamsan/sim/report/JsonReport.hpp>

#include <teamsan/sim/report/Causes.hpp>
#include <teamsan/sim/report/JsonNames.hpp>
#include <teamsan/sim/report/Ranking.hpp>
#include <teamsan/sim/report/TextReport.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace teamsan {
namespace {

using Json = nlohmann::ordered_json;
using namespace json;

Json place_json(Place const& place) {
  if (!place.known()) return nullptr;
  return {{"file", place.file},
          {"line", place.line},
          {"column", place.column},
          {"function", place.function},
          {"path", place.path},
          {"internal", place.internal}};
}

Json places_json(std::vector<Place> const& places) {
  Json json = Json::array();
  for (Place const& place : places) json.push_back(place_json(place));
  return json;
}

Json side_json(ReportedSide const& reported) {
  Side const& side = reported.side;
  Json json{{"access", word_of(access_kinds, side.access)},
            {"bytes", side.bytes},
            {"place", place_json(reported.trail.place)},
            {"callers", places_json(reported.trail.callers)},
            {"function", reported.trail.function},
            {"has_code", side.pc != 0},
            {"source", reported.source},
            {"role", side.role},
            {"actor", side.actor}};
  json["lane"] = nullptr;
  if (side.has_lane)
    json["lane"] = {{"league", side.league}, {"thread", side.thread}, {"lane", side.vector_lane}, {"warp", side.warp}};
  json["interval"] = nullptr;
  if (side.has_interval) json["interval"] = side.interval;
  return json;
}

Json data_json(Data const& data, Place const& obtained) {
  if (data.kind == Data::Kind::none) return nullptr;
  return {{"kind", word_of(data_kinds, data.kind)},
          {"label", data.label},
          {"shape", data.shape},
          {"index", data.index},
          {"within", data.within},
          {"field", data.field},
          {"scratch_level", data.scratch_level},
          {"offset", static_cast<std::int64_t>(data.offset)},
          {"bytes", data.bytes},
          {"element_bytes", data.element_bytes},
          {"obtained", place_json(obtained)}};
}

Json life_json(WordLife const& life) {
  if (life.touches.empty()) return nullptr;
  Json touches = Json::array();
  for (WordTouch const& t : life.touches)
    touches.push_back({{"interval", t.interval},
                       {"league", t.league},
                       {"thread", t.thread},
                       {"lane", t.vector_lane},
                       {"access", word_of(access_kinds, t.access)},
                       {"bytes", t.bytes},
                       {"count", t.count},
                       {"place", place_json(t.place)},
                       {"source", t.source},
                       {"side", t.side}});
  return {{"touches", touches}, {"left_out", life.left_out}};
}

Json finding_json(ReportedFinding const& found, ProgramFacts const& program) {
  Finding const& finding = found.finding;
  Json sides = Json::array();
  for (ReportedSide const& side : found.sides) sides.push_back(side_json(side));
  Json reasons = Json::array();
  for (Because const& why : finding.why) reasons.push_back(name_of(why.kind));
  return {{"id", found.id},
          {"rule", rule_id(finding.rule)},
          {"severity", word_of(severities, finding.severity)},
          {"title", finding.title},
          {"kernel", finding.kernel},
          {"policy", finding.policy},
          {"launch", finding.launch},
          {"region", finding.region},
          {"launched", places_json(found.launched)},
          {"data", data_json(finding.data, found.obtained)},
          {"sides", sides},
          {"message", finding.message},
          {"why", found.why},
          {"reasons", std::move(reasons)},
          {"fix", found.fix},
          {"cure", finding.fix.empty() ? Json(nullptr) : Json(name_of(finding.fix.kind))},
          {"count", finding.count},
          {"teams", finding.teams},
          {"league_size", finding.league_size},
          {"launches", found.launches},
          {"kernel_launch", found.kernel_launch},
          {"sync_alone", finding.sync_alone},
          {"on_team_order", finding.on_team_order},
          {"reports", found.reports},
          {"of_reports", found.of_reports},
          {"life", life_json(found.life)},
          {"rerun", rerun_command(found, program)}};
}

Json counts_json(TrafficCounts const& counts) {
  Json idle = Json::object();
  for (auto const& [cause, name] : idle_cause_names) idle[std::string(name)] = counts.idle_of(cause);
  return {{"requests", counts.requests},     {"lane_accesses", counts.lane_accesses},
          {"idle_lanes", idle},
          {"wavefronts", counts.wavefronts}, {"ideal_wavefronts", counts.ideal_wavefronts},
          {"sectors", counts.sectors},       {"ideal_sectors", counts.ideal_sectors}};
}

Json worst_json(WorstWarp const& worst, std::uint32_t warp_width) {
  Json offsets = Json::array();
  for (std::uint32_t lane = 0; lane != warp_width; ++lane) offsets.push_back(worst.offsets[lane]);
  return {{"league", worst.league},       {"warp", worst.warp},
          {"cost", worst.cost},           {"ideal", worst.ideal},
          {"occurrence", worst.occurrence}, {"launch", worst.launch},
          {"vector_length", worst.vector_length}, {"misalignment", worst.misalignment},
          {"active", worst.active},       {"offsets", offsets}};
}

Json residency_json(Residency const& residency) {
  if (!residency.known()) return nullptr;
  Json by = Json::object();
  for (auto const& [limit, name] : occupancy_limits) {
    std::uint32_t const teams = residency.resident.by[static_cast<std::size_t>(limit)];
    by[std::string(name)] = teams == model::Occupancy::unlimited ? Json(nullptr) : Json(teams);
  }
  return {{"launch", residency.launch},
          {"league_size", residency.league},
          {"lanes_per_team", residency.team.lanes},
          {"scratch_per_team", residency.team.scratch},
          {"registers_per_lane", residency.team.registers_per_lane},
          {"teams", residency.resident.teams},
          {"warps", residency.resident.warps},
          {"most_warps", residency.resident.most_warps},
          {"teams_by", by},
          {"limit", word_of(occupancy_limits, residency.resident.limit)},
          {"waves", residency.waves.count},
          {"last_wave_fill", residency.waves.last_fill},
          {"tail_idle", residency.waves.empty()}};
}

Json contention_json(AccessSite const& site) {
  if (site.operation != model::Operation::atomic) return nullptr;
  Contention const& c = site.contention;
  Json hottest = Json::array();
  for (HotAddress const& hot : c.hottest)
    hottest.push_back({{"offset", hot.offset}, {"index", hot.index}, {"updates", hot.updates}, {"teams", hot.teams}});
  return {{"wanted", c.wanted},
          {"worst_lanes", c.worst},
          {"addresses", c.addresses},
          {"one_in", c.one_in},
          {"hottest", hottest}};
}

/// Of the kernel, in the ranking of its program.
Json cost_json(ReportedTraffic const& kernel, std::vector<RankedKernel> const& ranked) {
  auto const found = std::ranges::find(ranked, &kernel, &RankedKernel::kernel);
  if (found == ranked.end()) return nullptr;
  return {{"rank", found - ranked.begin() + 1},
          {"share", found->share},
          {"seconds", found->cost.seconds()},
          {"bound", bound_name(found->cost.bound())},
          {"scratch_seconds", found->cost.scratch},
          {"memory_seconds", found->cost.memory},
          {"launch_seconds", found->cost.launches},
          {"bytes_moved", found->bytes.moved},
          {"bytes_ideal", found->bytes.ideal},
          {"bytes_asked", found->bytes.asked}};
}

Json traffic_json(ReportedTraffic const& kernel, std::vector<RankedKernel> const& ranked) {
  Json sites = Json::array();
  for (ReportedSite const& s : kernel.sites)
    sites.push_back({{"place", place_json(s.place)},
                     {"source", s.source},
                     {"operation", word_of(operations, s.site.operation)},
                     {"bytes_per_lane", s.site.bytes_per_lane},
                     {"memory", s.site.banked ? "scratch" : "global"},
                     {"data", s.site.data.label},
                     {"whole_data", data_json(s.site.data, {})},
                     {"counts", counts_json(s.site.counts)},
                     {"worst", worst_json(s.site.worst, kernel.warp_width)},
                     {"fix", s.fix},
                     {"contention", contention_json(s.site)},
                     {"parted", place_json(s.parted)}});
  return {{"kernel", kernel.kernel},
          {"policy", kernel.policy},
          {"warp_width", kernel.warp_width},
          {"launches", kernel.launches},
          {"teams", kernel.teams},
          {"teams_of_all", kernel.teams_of_all},
          {"cost", cost_json(kernel, ranked)},
          {"residency", residency_json(kernel.residency)},
          {"scratch_loads", counts_json(kernel.shared_loads)},
          {"scratch_stores", counts_json(kernel.shared_stores)},
          {"scratch_atomics", counts_json(kernel.shared_atomics)},
          {"global_loads", counts_json(kernel.global_loads)},
          {"global_stores", counts_json(kernel.global_stores)},
          {"global_atomics", counts_json(kernel.global_atomics)},
          {"kokkos_own", {{"scratch_loads", counts_json(kernel.own.scratch_loads)},
                          {"scratch_stores", counts_json(kernel.own.scratch_stores)}}},
          {"sites", sites}};
}

Json migrations_json(MigrationCounts const& counts) {
  Json rows = Json::array();
  for (MigrationRow const& row : counts.rows)
    rows.push_back({{"data", row.label},
                    {"allocations", row.allocations},
                    {"bytes", row.bytes},
                    {"pages", row.pages},
                    {"faults_to_device", row.faults_to_device},
                    {"faults_to_host", row.faults_to_host},
                    {"prefetched_to_device", row.prefetched_to_device},
                    {"prefetched_to_host", row.prefetched_to_host}});
  return {{"page_bytes", counts.page_bytes}, {"malloc_shared", counts.asked_for}, {"allocations", rows}};
}

Json fixed_json(ProgramFacts const& program) {
  Json rows = Json::array();
  for (FixedFinding const& one : program.fixed) rows.push_back({{"id", one.id}, {"rule", one.rule}, {"kernel", one.kernel}});
  return rows;
}

Json other_launches_json(ProgramFacts const& program) {
  Json rows = Json::array();
  for (OtherLaunches const& other : program.other_launches)
    rows.push_back({{"space", other.space}, {"kernel", other.kernel}, {"launches", other.launches}});
  return rows;
}

}  // namespace

std::string json_report(Report const& report) {
  ProgramFacts const& program = report.program;
  Json findings = Json::array(), kernels = Json::array();
  std::vector<std::size_t> const first = first_of_cause(report.findings);
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    findings.push_back(finding_json(report.findings[i], program));
    findings.back()["cause"] = first[i] == i ? Json(nullptr) : Json(report.findings[first[i]].id);
  }
  std::vector<RankedKernel> const ranked = ranking(report);
  for (ReportedTraffic const& kernel : report.kernels) kernels.push_back(traffic_json(kernel, ranked));
  Json const json{{"format", "teamsan-report"},
                  {"version", json_report_version},
                  {"program", {{"launcher", program.launcher},
                               {"arguments", program.arguments},
                               {"flags", program.flags},
                               {"device", program.device_name},
                               {"device_title", program.device},
                               {"kernels", program.kernels},
                               {"kernel_names", program.kernel_names},
                               {"launches", program.launches},
                               {"launches_checked", program.launches_checked},
                               {"suppressed", program.suppressed},
                               {"crashed", program.crashed},
                               {"finished", program.finished},
                               {"written", program.written},
                               {"judged", program.judged},
                               {"reports", program.reports},
                               {"shard", program.shard},
                               {"other_launches", other_launches_json(program)},
                               {"unchecked_libraries", program.unchecked_libraries},
                               {"fixed", fixed_json(program)},
                               {"notes", program.notes}}},
                  {"errors", report.count(Severity::error)},
                  {"warnings", report.count(Severity::warning)},
                  {"infos", report.count(Severity::info)},
                  {"findings", findings},
                  {"traffic", kernels},
                  {"migrations", migrations_json(report.migrations)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace teamsan
