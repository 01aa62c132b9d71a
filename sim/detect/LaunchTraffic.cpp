// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaunchTraffic.hpp"

#include "../../model/device/KokkosOwn.hpp"
#include "../base/LaunchConfig.hpp"
#include "Checker.hpp"
#include "TrafficCounter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <numeric>
#include <tuple>
#include <utility>

namespace teamsan::detect {

namespace {

bool worse(WorstWarp const& a, WorstWarp const& b) {
  return std::make_tuple(b.cost - b.ideal, a.league, a.warp) < std::make_tuple(a.cost - a.ideal, b.league, b.warp);
}

void name_addresses(AccessSite& site, Contention&& contention, std::uintptr_t begin) {
  for (HotAddress& hot : contention.hottest) {
    if (site.data.kind == Data::Kind::view) hot.index = describe_global(begin + hot.offset, site.bytes_per_lane).index;
    if (hot.index.empty() && site.bytes_per_lane != 0) hot.index = fmt::format("({})", hot.offset / site.bytes_per_lane);
  }
  site.contention = std::move(contention);
}

/// Of a range, whose blocks the simulated GPU makes as the CUDA backend does.
model::OwnAccesses own_range_accesses(model::Device const& device, LaunchConfig const& config, std::uint64_t chunks_met,
                                      KernelTraffic const& traffic) {
  bool reads = false;
  std::uint64_t rounds = 0;  // of warps, in which the body accesses memory
  for (AccessSite const& site : traffic.sites) {
    reads = reads || site.operation == model::Operation::load;
    rounds = std::max(rounds, site.counts.requests);
  }
  if (config.pattern == Pattern::parallel_reduce && config.team_size == 256)
    return range_reduce_accesses(device, traffic.teams, reads ? rounds : 0);
  // The launch that makes blocks' totals has no chunks; the other meets in each, and between them.
  if (config.pattern == Pattern::parallel_scan && config.team_size == 128 && chunks_met != 0)
    return range_scan_accesses(device, traffic.teams, (chunks_met + traffic.teams) / 2, reads);
  return {};
}

/// What Kokkos' own code did in the teams that were counted.
OwnTraffic own_traffic(model::Device const& device, LaunchConfig const& config, MeetingCounts const& met,
                       KernelTraffic const& traffic) {
  std::uint32_t const threads = config.team_size, length = config.vector_length;
  model::OwnAccesses sum;
  auto const add = [&](model::OwnAccesses const& each, std::uint64_t times) {
    sum.loads += each.loads * times;
    sum.stores += each.stores * times;
  };
  auto const times = [&](Meeting meeting) {
    auto const& row = met.of(meeting);
    return std::accumulate(row.begin(), row.end(), std::uint64_t{0});
  };
  if (config.is_one_dimensional()) add(own_range_accesses(device, config, times(Meeting::kernel_chunk), traffic), 1);
  constexpr std::uint64_t most_blocks = 32768;  // that a reduction over a TeamPolicy is spread over
  for (std::size_t i = 0; i != MeetingCounts::joins; ++i) {
    std::uint64_t reductions =
        met.of(Meeting::team_reduce)[i] + met.of(Meeting::thread_range_reduce)[i] + met.of(Meeting::team_vector_reduce)[i];
    if (config.lanes_meet() && config.pattern == Pattern::parallel_reduce)
      reductions += std::min(met.of(Meeting::kernel_end)[i], most_blocks);
    auto const is = [join = static_cast<Join>(i)](Join one) { return join == one || join == Join::narrow_branching; };
    add(team_reduce_accesses(device, threads, length, {.narrow = is(Join::narrow), .branching = is(Join::branching)}),
        reductions);
  }
  std::uint64_t const chunks = times(Meeting::thread_range_scan) / 2;  // a scan and a broadcast each
  std::uint64_t const scans = times(Meeting::team_scan) + chunks;
  add(team_scan_accesses(device, threads, length), scans);
  add(team_broadcast_accesses(device, threads, length),
      times(Meeting::team_broadcast) + times(Meeting::single_team_value) + chunks);
  OwnTraffic own;
  own.scratch_loads.requests = sum.loads;
  own.scratch_stores.requests = sum.stores;
  return own;
}

}  // namespace

void LaunchTraffic::join(TrafficCounter& counter) {
  std::lock_guard const lock(m_mutex);
  m_counters.push_back(&counter);
}

KernelTraffic LaunchTraffic::take(LaunchConfig const& config) {
  KernelTraffic sum;
  sum.warp_width = m_device.warp_width;
  std::vector<TrafficCounter::Counted> sites;
  MeetingCounts met;
  for (TrafficCounter* const counter : m_counters) {
    TrafficCounter::Sums counted = counter->take();
    sum.teams += counted.teams;
    met.add(counted.meetings);
    for (TrafficCounter::Counted& s : counted.sites) {
      auto const same = std::find_if(sites.begin(), sites.end(), [&](auto const& known) {
        return known.key == s.key && known.data_id == s.data_id;
      });
      if (same == sites.end()) {
        sites.push_back(std::move(s));
        continue;
      }
      same->site.counts.add(s.site.counts);
      if (s.site.parted_at != Site{} && (same->site.parted_at == Site{} || s.parted < same->parted)) {
        same->site.parted_at = s.site.parted_at;
        same->parted = s.parted;
      }
      if (s.addresses) same->addresses->add(*s.addresses);
      same->first = std::min(same->first, s.first);
      if (worse(s.site.worst, same->site.worst)) same->site.worst = s.site.worst;
    }
  }
  std::sort(sites.begin(), sites.end(), [](auto const& a, auto const& b) {
    return std::tie(a.first, a.key, a.data_id) < std::tie(b.first, b.key, b.data_id);
  });
  for (TrafficCounter::Counted& s : sites) {
    if (s.addresses) name_addresses(s.site, s.addresses->sum(), s.begin);
    sum.sites.push_back(std::move(s.site));
  }
  sum.own = own_traffic(m_device, config, met, sum);
  m_counters.clear();
  return sum;
}

}  // namespace teamsan::detect
