#include <teamsan/sim/findings/Traffic.hpp>

#include <teamsan/sim/places/DeclaredName.hpp>
#include <teamsan/sim/places/KokkosNames.hpp>
#include <teamsan/sim/places/SourceFile.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace teamsan {

namespace {

/// Same data, to a reader: where a scratch piece was obtained tells it from others.
bool same_data(Data const& a, Data const& b) {
  return a.kind == b.kind && a.label == b.label && a.scratch_level == b.scratch_level && a.obtained_pc == b.obtained_pc;
}

void take_worst(AccessSite& site, AccessSite const& other) {
  if (other.worst.cost - other.worst.ideal > site.worst.cost - site.worst.ideal) site.worst = other.worst;
}

/// What a host makes of an atomic that it has no instruction for begins with a load; a GPU has the instruction.
bool is_part_of_atomic(AccessSite const& site) {
  return site.operation == model::Operation::load && has_code(KokkosCode::atomic_loop, site.pc);
}

TrafficCounts& direction(ReportedTraffic& kernel, AccessSite const& site) {
  switch (site.operation) {
    case model::Operation::load:
      return site.banked ? kernel.shared_loads : kernel.global_loads;
    case model::Operation::store:
      return site.banked ? kernel.shared_stores : kernel.global_stores;
    case model::Operation::atomic:
      break;
  }
  return site.banked ? kernel.shared_atomics : kernel.global_atomics;
}

}  // namespace

void TrafficCounts::add(TrafficCounts const& other) {
  requests += other.requests;
  lane_accesses += other.lane_accesses;
  wavefronts += other.wavefronts;
  ideal_wavefronts += other.ideal_wavefronts;
  sectors += other.sectors;
  ideal_sectors += other.ideal_sectors;
}

void take_lower(Residency& kept, Residency const& other) {
  if (other.known() && (!kept.known() || other.resident.warps < kept.resident.warps)) kept = other;
}

void KernelTraffic::add(KernelTraffic&& launch) {
  take_lower(residency, launch.residency);
  launches += launch.launches;
  teams += launch.teams;
  teams_of_all += launch.teams_of_all;
  for (AccessSite& fresh : launch.sites) {
    auto const known = std::find_if(sites.begin(), sites.end(), [&](AccessSite const& s) {
      return s.pc == fresh.pc && s.operation == fresh.operation && s.bytes_per_lane == fresh.bytes_per_lane &&
             s.banked == fresh.banked && same_data(s.data, fresh.data);
    });
    if (known == sites.end()) {
      sites.push_back(std::move(fresh));
    } else {
      known->counts.add(fresh.counts);
      take_worst(*known, fresh);
    }
  }
}

ReportedTraffic merge_traffic(KernelTraffic const& kernel) {
  ReportedTraffic result;
  result.kernel = kernel.kernel;
  result.policy = kernel.policy;
  result.warp_width = kernel.warp_width;
  result.launches = kernel.launches;
  result.teams = kernel.teams;
  result.teams_of_all = kernel.teams_of_all;
  result.residency = kernel.residency;
  std::map<std::string, std::size_t> known;
  for (AccessSite const& site : kernel.sites) {
    if (is_part_of_atomic(site)) continue;
    direction(result, site).add(site.counts);
    Place const place = user_place(site.pc);
    Place const obtained = user_place(site.data.obtained_pc);
    std::string const where = place.known() ? fmt::format("{}:{}", place.path, place.line) : fmt::format("{:x}", site.pc);
    std::string const key = fmt::format("{}\n{} {} {}\n{}\n{} {} {}:{}", where, static_cast<int>(site.operation),
                                        site.bytes_per_lane, site.banked, site.data.label,
                                        static_cast<int>(site.data.kind), site.data.scratch_level, obtained.path,
                                        obtained.line);
    auto const [it, fresh] = known.try_emplace(key, result.sites.size());
    if (fresh) {
      result.sites.push_back({site, place, source_line(place.path, place.line), {}});
      Data& data = result.sites.back().site.data;
      if (data.kind == Data::Kind::scratch && data.label.empty() && !obtained.internal)
        data.label = declared_scratch(source_line(obtained.path, obtained.line), obtained.column,
                                      normalised_source(source_line(obtained.path, obtained.line - 1)));
    } else {
      AccessSite& sum = result.sites[it->second].site;
      sum.counts.add(site.counts);
      take_worst(sum, site);
    }
  }
  std::stable_sort(result.sites.begin(), result.sites.end(),
                   [](ReportedSite const& a, ReportedSite const& b) { return a.excess() > b.excess(); });
  return result;
}

}  // namespace teamsan
