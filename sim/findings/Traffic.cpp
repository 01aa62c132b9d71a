// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Traffic.hpp"

#include "SiteOrder.hpp"
#include "../places/DeclaredName.hpp"
#include "../places/KokkosNames.hpp"
#include "../places/SourceFile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

namespace teamsan {

namespace {

/// Same data, to a reader: where a scratch piece was obtained tells it from others.
bool same_data(Data const& a, Data const& b) {
  return a.kind == b.kind && a.label == b.label && a.scratch_level == b.scratch_level && a.obtained_site == b.obtained_site;
}

void take_in(AccessSite& site, AccessSite const& other) {
  site.counts.add(other.counts);
  site.contention.add(other.contention);
  if (site.parted_at == Site{}) site.parted_at = other.parted_at;
  if (other.worst.cost - other.worst.ideal > site.worst.cost - site.worst.ideal) site.worst = other.worst;
}

/// What a host makes of an atomic that it has no instruction for begins with a load; a GPU has the instruction.
bool is_part_of_atomic(AccessSite const& site) {
  return site.operation == model::Operation::load && has_code(KokkosCode::atomic_loop, site.at);
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
  for (std::size_t i = 0; i != idle_causes; ++i) idle[i] += other.idle[i];
}

void OwnTraffic::add(OwnTraffic const& other) {
  scratch_loads.add(other.scratch_loads);
  scratch_stores.add(other.scratch_stores);
}

void Contention::add(Contention const& other) {
  constexpr std::size_t kept = 32;
  wanted += other.wanted;
  worst = std::max(worst, other.worst);
  addresses = std::max(addresses, other.addresses);
  one_in = std::max(one_in, other.one_in);
  for (HotAddress const& hot : other.hottest) {
    auto const same = std::ranges::find(hottest, hot.offset, &HotAddress::offset);
    if (same == hottest.end()) {
      hottest.push_back(hot);
    } else {
      same->updates += hot.updates;
      same->teams += hot.teams;
    }
  }
  std::ranges::sort(hottest, [](HotAddress const& a, HotAddress const& b) {
    return std::tie(b.updates, a.offset) < std::tie(a.updates, b.offset);
  });
  if (hottest.size() > kept) hottest.resize(kept);
}

TrafficCounts all_counts(ReportedTraffic const& kernel) {
  TrafficCounts sum;
  for (TrafficCounts const* const counts : {&kernel.shared_loads, &kernel.shared_stores, &kernel.shared_atomics,
                                            &kernel.global_loads, &kernel.global_stores, &kernel.global_atomics})
    sum.add(*counts);
  return sum;
}

model::KernelWork work_of(ReportedTraffic const& kernel) {
  TrafficCounts const counts = all_counts(kernel);
  model::KernelWork work{kernel.launches, std::max(kernel.teams_of_all, kernel.teams), counts.wavefronts, counts.sectors};
  if (kernel.teams != 0 && kernel.teams < kernel.teams_of_all) {
    double const times = static_cast<double>(kernel.teams_of_all) / static_cast<double>(kernel.teams);
    work.wavefronts = static_cast<std::uint64_t>(static_cast<double>(work.wavefronts) * times);
    work.sectors = static_cast<std::uint64_t>(static_cast<double>(work.sectors) * times);
  }
  return work;
}

void take_lower(Residency& kept, Residency const& other) {
  if (other.known() && (!kept.known() || other.resident.warps < kept.resident.warps)) kept = other;
}

void take_larger(Residency& kept, Residency const& other) {
  if (other.known() && (!kept.known() || other.league * other.team.lanes > kept.league * kept.team.lanes)) kept = other;
}

void KernelTraffic::add(KernelTraffic&& launch) {
  take_lower(residency, launch.residency);
  take_larger(largest, launch.largest);
  own.add(launch.own);
  launches += launch.launches;
  teams += launch.teams;
  teams_of_all += launch.teams_of_all;
  for (AccessSite& fresh : launch.sites) {
    auto const known = std::find_if(sites.begin(), sites.end(), [&](AccessSite const& s) {
      return s.at == fresh.at && s.operation == fresh.operation && s.bytes_per_lane == fresh.bytes_per_lane &&
             s.banked == fresh.banked && same_data(s.data, fresh.data);
    });
    if (known == sites.end()) {
      sites.push_back(std::move(fresh));
    } else {
      take_in(*known, fresh);
    }
  }
}

ReportedTraffic merge_traffic(KernelTraffic const& kernel) {
  ReportedTraffic result;
  result.kernel = kernel.kernel;
  result.policy = kernel.policy;
  result.has_iterate = kernel.has_iterate;
  result.warp_width = kernel.warp_width;
  result.launches = kernel.launches;
  result.teams = kernel.teams;
  result.teams_of_all = kernel.teams_of_all;
  result.residency = kernel.residency;
  result.largest = kernel.largest;
  result.own = kernel.own;
  std::map<std::string, std::size_t> known;
  for (AccessSite const& site : kernel.sites) {
    if (is_part_of_atomic(site)) continue;
    direction(result, site).add(site.counts);
    Place const place = user_place(site.at);
    Place const obtained = user_place(site.data.obtained_site);
    std::string const where =
        place.known() ? fmt::format("{}:{}:{}", place.path, place.line, place.column) : fmt::format("{:x}", number_of(site.at));
    std::string const key = fmt::format("{}\n{} {} {}\n{}\n{} {} {}:{}:{}", where, static_cast<int>(site.operation),
                                        site.bytes_per_lane, site.banked, site.data.label,
                                        static_cast<int>(site.data.kind), site.data.scratch_level, obtained.path,
                                        obtained.line, obtained.column);
    auto const [it, fresh] = known.try_emplace(key, result.sites.size());
    if (fresh) {
      result.sites.push_back({site, place, source_line(place.path, place.line), {}, {}, user_place(site.parted_at)});
      Data& data = result.sites.back().site.data;
      if (data.kind == Data::Kind::scratch && data.label.empty() && !obtained.internal)
        data.label = declared_scratch(source_line(obtained.path, obtained.line), obtained.column,
                                      normalised_source(source_line(obtained.path, obtained.line - 1)));
    } else {
      AccessSite& sum = result.sites[it->second].site;
      take_in(sum, site);
      if (!result.sites[it->second].parted.known()) result.sites[it->second].parted = user_place(sum.parted_at);
    }
  }
  std::stable_sort(result.sites.begin(), result.sites.end(), comes_first);
  return result;
}

}  // namespace teamsan
