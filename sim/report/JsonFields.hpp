// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The fields of the JSON report, each once: JsonReport.cpp writes them and JsonReader.cpp reads them by the same functions.
/// docs/report-json.md says what they mean. `io` takes
///   io("name", value)               a number, a flag, a text, a list of texts
///   io("name", value, least, most)  a number by which pictures and tables are drawn
///   io.word("name", names, value)   one of a small set, by its word
///   io.part("name", value)          what has fields of its own; null where there is no such thing
///   io.object("name", there, each)  the same of fields that lie in the struct itself: each(io)
///   io.list("name", values)         a vector of what has fields of its own
///   io.made("name", value)          what a program can work out from the rest: written, and never read
/// A reader leaves as it is what a report, an older one, lacks.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/CheckList.hpp"
#include "../base/MemoryName.hpp"
#include "JsonNames.hpp"
#include "Report.hpp"

#include <cstdint>
#include <string>
#include <type_traits>

namespace teamsan::json {

/// What a writer may look at, and a reader change.
template <class Io, class T>
using Of = std::conditional_t<Io::reads, T, T const>;

/// Is there such a thing, or is the field null?
template <class T>
bool is_there(T const&) {
  return true;
}
inline bool is_there(Place const& place) { return place.known(); }
inline bool is_there(WordLife const& life) { return !life.touches.empty(); }
inline bool is_there(Gain const& gain) { return gain.known(); }
inline bool is_there(Residency const& residency) { return residency.known(); }

template <class Io>
void fields(Io& io, Of<Io, Place>& place) {
  io("file", place.file);
  io("line", place.line);
  io("column", place.column);
  io("function", place.function);
  if constexpr (Io::reads) place.path = place.file;
  io("path", place.path);
  io("internal", place.internal);
}

/// `obtained`: of scratch, where that was; of a View, where it was allocated.
template <class Io>
void data_fields(Io& io, char const* name, Of<Io, Data>& data, Of<Io, Place>& obtained) {
  io.object(name, data.kind != Data::Kind::none, [&](auto& in) {
    in.word("kind", data_kinds, data.kind);
    in("label", data.label);
    in("shape", data.shape);
    in("index", data.index);
    in("within", data.within);
    in("field", data.field);
    in("scratch_level", data.scratch_level);
    auto offset = static_cast<std::int64_t>(data.offset);  // before the start: negative
    in("offset", offset);
    if constexpr (Io::reads) data.offset = static_cast<std::uint64_t>(offset);
    in("bytes", data.bytes);
    in("element_bytes", data.element_bytes);
    in.part("obtained", obtained);
    std::string memory = data.kind == Data::Kind::view ? memory_name(data.address) : "";
    in("memory", memory);
    // Which address it was has no meaning any more; in which memory, has.
    if constexpr (Io::reads) {
      if (memory == memory_name(arena::shared)) data.address = arena::shared;
      if (memory == memory_name(arena::pinned)) data.address = arena::pinned;
    }
  });
}

template <class Io>
void fields(Io& io, Of<Io, ReportedSide>& reported) {
  auto& side = reported.side;
  io.word("access", access_kinds, side.access);
  io("bytes", side.bytes);
  io.part("place", reported.trail.place);
  io.list("callers", reported.trail.callers);
  io("function", reported.trail.function);
  bool has_code = Io::reads ? reported.trail.place.known() : side.site != Site{};
  io("has_code", has_code);
  if constexpr (Io::reads) side.site = static_cast<Site>(has_code);  // where it lay has no meaning any more
  io("source", reported.source);
  io("role", side.role);
  io("actor", side.actor);
  io.object("lane", side.has_lane, [&](auto& in) {
    if constexpr (Io::reads) side.has_lane = true;
    in("league", side.league);
    in("thread", side.thread);
    in("lane", side.vector_lane);
    in("warp", side.warp);
  });
  io.optional("interval", side.has_interval, side.interval);
}

template <class Io>
void fields(Io& io, Of<Io, WordTouch>& touch) {
  io("interval", touch.interval);
  io("league", touch.league);
  io("thread", touch.thread);
  io("lane", touch.vector_lane);
  io.word("access", access_kinds, touch.access);
  io("bytes", touch.bytes);
  io("count", touch.count);
  io.part("place", touch.place);
  io("source", touch.source);
  io("side", touch.side);
}

template <class Io>
void fields(Io& io, Of<Io, WordLife>& life) {
  io.list("touches", life.touches);
  io("left_out", life.left_out);
}

template <class Io>
void fields(Io& io, Of<Io, Gain>& gain) {
  io.word("unit", cost_units, gain.banked);
  io("saved", gain.saved);
  io("of", gain.of);
  io("at_most", gain.at_most);
  io("priced", gain.priced);
  io("seconds", gain.seconds);
  io("share", gain.share);
  io.word("bound", cost_bounds, gain.bound);
}

template <class Io>
void fields(Io& io, Of<Io, ReportedFinding>& found) {
  auto& finding = found.finding;
  io("id", found.id);
  std::string rule = Io::reads ? "" : rule_id(finding.rule);
  io("rule", rule);
  if constexpr (Io::reads) finding.rule = parse_rule(rule);
  io.word("severity", severities, finding.severity);
  io("title", finding.title);
  io("kernel", finding.kernel);
  io("policy", finding.policy);
  io("launch", finding.launch);
  io("region", finding.region);
  io.list("launched", found.launched);
  data_fields(io, "data", finding.data, found.obtained);
  io.list("sides", found.sides);
  if constexpr (Io::reads)
    for (ReportedSide const& side : found.sides) finding.sides.push_back(side.side);
  io("message", finding.message);
  io("why", found.why);
  std::vector<std::string> reasons;
  if constexpr (!Io::reads)
    for (Because const& why : finding.why) reasons.emplace_back(name_of(why.kind));
  io("reasons", reasons);
  if constexpr (Io::reads)
    for (std::string const& reason : reasons) finding.why.push_back({reason_named(reason)});
  io("fix", found.fix);
  std::string cure = Io::reads ? "" : std::string(name_of(finding.fix.kind));
  bool cured = !finding.fix.empty();
  io.optional("cure", cured, cure);
  io.part("gain", finding.gain);
  if constexpr (Io::reads) finding.fix.kind = cure_named(cure);
  io("count", finding.count);
  io("teams", finding.teams);
  io("count_is_lower_bound", finding.count_at_least);
  io("teams_is_lower_bound", finding.teams_at_least);
  io("teams_are_blocks", finding.of_blocks);
  io("league_size", finding.league_size);
  io("launches", found.launches);
  io("kernel_launch", found.kernel_launch);
  io("sync_alone", finding.sync_alone);
  io("on_team_order", finding.on_team_order);
  io("reports", found.reports);
  io("of_reports", found.of_reports);
  io("runs", found.runs);
  io.part("life", found.life);
  io.object("left_out", found.left_out.by != LeftOut::By::nobody, [&](auto& in) {
    in.word("by", left_out_by, found.left_out.by);
    in("where", found.left_out.where);
  });
}

template <class Io>
void fields(Io& io, Of<Io, TrafficCounts>& counts) {
  io("requests", counts.requests);
  io("lane_accesses", counts.lane_accesses);
  io.object("idle_lanes", true, [&](auto& in) {
    for (auto const& [cause, name] : idle_cause_names)
      in(std::string(name).c_str(), counts.idle[static_cast<std::size_t>(cause)]);
  });
  io("wavefronts", counts.wavefronts);
  io("ideal_wavefronts", counts.ideal_wavefronts);
  io("sectors", counts.sectors);
  io("ideal_sectors", counts.ideal_sectors);
}

template <class Io>
void fields(Io& io, Of<Io, HotAddress>& hot) {
  io("offset", hot.offset);
  io("index", hot.index);
  io("updates", hot.updates);
  io("teams", hot.teams);
}

template <class Io>
void fields(Io& io, Of<Io, Contention>& contention) {
  io("wanted", contention.wanted);
  io("worst_lanes", contention.worst);
  io("addresses", contention.addresses);
  io("one_in", contention.one_in);
  io.list("hottest", contention.hottest);
}

template <class Io>
void worst_fields(Io& io, Of<Io, WorstWarp>& worst, std::uint32_t warp_width) {
  io("league", worst.league);
  io("warp", worst.warp);
  io("cost", worst.cost);
  io("ideal", worst.ideal);
  io("occurrence", worst.occurrence);
  io("launch", worst.launch);
  io("vector_length", worst.vector_length, 1u, std::uint32_t{model::max_warp_width});
  io("misalignment", worst.misalignment, 0u, 255u);
  io("active", worst.active);
  constexpr std::int64_t furthest = std::int64_t{1} << 47;  // a pointer has no more
  io.numbers("offsets", worst.offsets, warp_width, furthest);
}

template <class Io>
void fields(Io& io, Of<Io, Residency>& residency) {
  io("launch", residency.launch);
  io("league_size", residency.league);
  io("lanes_per_team", residency.team.lanes);
  io("scratch_per_team", residency.team.scratch);
  io("registers_per_lane", residency.team.registers_per_lane);
  io("teams", residency.resident.teams);
  io("warps", residency.resident.warps);
  io("most_warps", residency.resident.most_warps);
  io.object("teams_by", true, [&](auto& in) {
    for (auto const& [limit, name] : occupancy_limits) {
      auto& teams = residency.resident.by[static_cast<std::size_t>(limit)];
      bool limited = !Io::reads && teams != model::Occupancy::unlimited;
      if constexpr (Io::reads) teams = model::Occupancy::unlimited;
      in.optional(std::string(name).c_str(), limited, teams);
    }
  });
  io.word("limit", occupancy_limits, residency.resident.limit);
  io("waves", residency.waves.count);
  io("last_wave_fill", residency.waves.last_fill);
  io.made("tail_idle", [&] { return residency.waves.empty(); });
}

template <class Io>
void site_fields(Io& io, Of<Io, ReportedSite>& reported, std::uint32_t warp_width) {
  auto& site = reported.site;
  io.part("place", reported.place);
  io("source", reported.source);
  io.word("operation", operations, site.operation);
  io("bytes_per_lane", site.bytes_per_lane, 0u, 16u);
  std::string memory = site.banked ? "scratch" : "global";
  io("memory", memory);
  if constexpr (Io::reads) site.banked = memory == "scratch";
  io.made("data", [&] { return site.data.label; });
  Place nowhere;
  data_fields(io, "whole_data", site.data, nowhere);
  io.part("counts", site.counts);
  io.object("worst", true, [&](auto& in) { worst_fields(in, site.worst, warp_width); });
  io("fix", reported.fix);
  io.part("gain", reported.gain);
  io.object("contention", site.operation == model::Operation::atomic, [&](auto& in) { fields(in, site.contention); });
  io.part("parted", reported.parted);
}

/// `cost`: of the kernel in the ranking of its program, as an object or null. `spaces`: its bytes by memory, as an array.
template <class Io, class Cost, class Spaces>
void traffic_fields(Io& io, Of<Io, ReportedTraffic>& kernel, Cost const& cost, Spaces const& spaces) {
  io("kernel", kernel.kernel);
  io("policy", kernel.policy);
  io("warp_width", kernel.warp_width, 1u, std::uint32_t{model::max_warp_width});
  io("launches", kernel.launches);
  io("teams", kernel.teams);
  io("teams_of_all", kernel.teams_of_all);
  io.made("cost", cost);
  io.made("bytes", spaces);
  io.part("residency", kernel.residency);
  io.part("scratch_loads", kernel.shared_loads);
  io.part("scratch_stores", kernel.shared_stores);
  io.part("scratch_atomics", kernel.shared_atomics);
  io.part("global_loads", kernel.global_loads);
  io.part("global_stores", kernel.global_stores);
  io.part("global_atomics", kernel.global_atomics);
  io.object("kokkos_own", true, [&](auto& in) {
    in.part("scratch_loads", kernel.own.scratch_loads);
    in.part("scratch_stores", kernel.own.scratch_stores);
  });
  io.list("sites", kernel.sites, [&](auto& in, auto& site) { site_fields(in, site, kernel.warp_width); });
}

template <class Io>
void fields(Io& io, Of<Io, MigrationRow>& row) {
  io("data", row.label);
  io("allocations", row.allocations);
  io("bytes", row.bytes);
  io("pages", row.pages);
  io("faults_to_device", row.faults_to_device);
  io("faults_to_host", row.faults_to_host);
  io("prefetched_to_device", row.prefetched_to_device);
  io("prefetched_to_host", row.prefetched_to_host);
}

template <class Io>
void fields(Io& io, Of<Io, MigrationCounts>& counts) {
  io("page_bytes", counts.page_bytes);
  io("malloc_shared", counts.asked_for);
  io.list("allocations", counts.rows);
}

template <class Io>
void fields(Io& io, Of<Io, KernelLaunches>& kernel) {
  io("kernel", kernel.kernel);
  io("policy", kernel.policy);
  io("launches", kernel.launches);
  io("launches_checked", kernel.launches_checked);
  io("checked", kernel.checked);
  io("accesses", kernel.accesses);
  io("lanes", kernel.lanes);
  io("plain_cost", kernel.plain);
  io("plain_cost_checked", kernel.plain_checked);
}

template <class Io>
void fields(Io& io, Of<Io, OtherLaunches>& other) {
  io("space", other.space);
  io("kernel", other.kernel);
  io("launches", other.launches);
}

template <class Io>
void fields(Io& io, Of<Io, FixedFinding>& fixed) {
  io("id", fixed.id);
  io("rule", fixed.rule);
  io("kernel", fixed.kernel);
}

template <class Io>
void fields(Io& io, Of<Io, TestRun>& run) {
  io("test", run.test);
  io("rank", run.rank);
  io("directory", run.directory);
  io("launcher", run.launcher);
  io("arguments", run.arguments);
  io("flags", run.flags);
}

template <class Io>
void fields(Io& io, Of<Io, ProgramFacts>& program) {
  io("launcher", program.launcher);
  io("directory", program.directory);
  io("test", program.test);
  io("rank", program.rank);
  io.list("runs", program.runs);
  io("arguments", program.arguments);
  io("flags", program.flags);
  io("device", program.device_name);
  if constexpr (Io::reads) program.device = program.device_name;
  io("device_title", program.device);
  io("kernels", program.kernels);
  io("kernel_names", program.kernel_names);
  io("launches", program.launches);
  io("launches_checked", program.launches_checked);
  io("launches_decided", program.launches_decided);
  io.list("kernel_launches", program.kernel_launches);
  io("chosen_by", program.chosen_by);
  io("suppressed", program.suppressed);
  io("crashed", program.crashed);
  io("finished", program.finished);
  if constexpr (Io::reads) program.written = program.finished;  // of a report without the next field
  io("written", program.written);
  io("judged", program.judged);
  io("reports", program.reports);
  io("shard", program.shard);
  io("dealt", program.dealt);
  io.list("other_launches", program.other_launches);
  io("unchecked_libraries", program.unchecked_libraries);
  io("baseline", program.baseline);
  io.list("fixed", program.fixed);
  io("notes", program.notes);
}

}  // namespace teamsan::json
