// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TrafficCounter.hpp"

#include "../../model/device/GlobalMemory.hpp"
#include "../../model/device/SharedMemory.hpp"
#include "Checker.hpp"
#include "LaunchTraffic.hpp"
#include "../machine/Team.hpp"
#include "../machine/WarpEvents.hpp"
#include "../machine/WarpLog.hpp"
#include "../memory/Allocations.hpp"
#include "../places/KokkosNames.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <tuple>
#include <utility>

namespace teamsan::detect {

namespace {

constexpr std::size_t recent_sites = 256, remembered_patterns = 1024;
/// What misalignment of data is given modulo; a multiple of all rows of banks.
constexpr std::uintptr_t row = 256;

constexpr std::uint64_t mixed(std::uint64_t h, std::uint64_t value) { return (h ^ value) * 0x9e3779b97f4a7c15u; }

using Offsets = std::array<std::uint32_t, model::max_warp_width>;

/// Of all lanes' offsets: four sums of products side by side, so that no multiplication waits for another.
std::uint64_t pattern_hash(Offsets const& o, std::uint64_t active, std::uint64_t seed, std::uint32_t width) {
  constexpr std::uint64_t odd[4] = {0x9e3779b97f4a7c15u, 0xc2b2ae3d27d4eb4fu, 0x165667b19e3779f9u, 0xd6e8feb86659fd93u};
  std::uint64_t sums[4] = {seed, active, 0, 0};
  for (std::uint32_t i = 0; i != width; i += 8)
    for (std::uint32_t j = 0; j != 4; ++j)
      sums[j] = (sums[j] ^ sums[j] >> 31) * odd[j] + (std::uint64_t{o[i + 2 * j + 1]} << 32 | o[i + 2 * j]);
  std::uint64_t const h = (sums[0] * odd[1] ^ sums[1] * odd[2]) + (sums[2] * odd[3] ^ sums[3] * odd[0]);
  return h >> 40 ^ h >> 20;
}

/// Whether the lanes are as far from the first as there. For each access of a warp: vectors of what every processor has.
template <std::uint32_t width>
[[gnu::always_inline]] inline bool same_offsets(WarpRecord const& record, Offsets const& offsets) {
  using Four [[gnu::vector_size(16)]] = std::uint32_t;
  auto const base = static_cast<std::uint32_t>(record.base);
  Four const bases = {base, base, base, base};
  Four differ = {};
#pragma GCC unroll 16
  for (std::uint32_t i = 0; i != width; i += 4) {
    Four low, known;
    std::memcpy(&low, record.low + i, sizeof low);
    std::memcpy(&known, offsets.data() + i, sizeof known);
    differ |= (low - bases) ^ known;
  }
  using Two [[gnu::vector_size(16)]] = std::uint64_t;
  auto const halves = reinterpret_cast<Two>(differ);
  return (halves[0] | halves[1]) == 0;
}

bool same_offsets(WarpRecord const& record, Offsets const& offsets, std::uint32_t width) {
  return width == 32 ? same_offsets<32>(record, offsets)
                     : width == 64 ? same_offsets<64>(record, offsets) : same_offsets<16>(record, offsets);
}

constexpr std::size_t recent_place(std::uint64_t key) { return mixed(key, 1) >> 40 & (recent_sites - 1); }

}  // namespace

void TrafficCounter::begin_team(LaunchTraffic& launch, std::uint64_t league_rank) {
  if (m_launch != &launch) {
    m_launch = &launch;
    m_device = &launch.device();
    m_teams = 0;
    m_sites.clear();
    m_by_key.clear();
    m_recent.assign(recent_sites, 0);
    m_meetings = {};
    if (m_patterns.empty()) m_patterns.resize(remembered_patterns);
    launch.join(*this);
  }
  m_league_rank = league_rank;
  ++m_teams;
}

TrafficCounter::Sums TrafficCounter::take() {
  m_launch = nullptr;
  return {m_teams, m_meetings, std::exchange(m_sites, {})};
}

inline bool TrafficCounter::holds(Counted const& s, WarpRecord const& record) const {
  std::uint64_t const stamp = key_scratch(record.key) ? m_league_rank + 1 : 0;
  return s.key == record.key && s.team == stamp && record.base - s.begin < s.end - s.begin;
}

// Most records are like the latest of their site, and no worse than its worst: no call, and hardly a register to save.
template <std::uint32_t width>
inline bool TrafficCounter::count_again(Counted& s, WarpRecord const& record, std::uint32_t warp) {
  constexpr std::uint64_t all = ~std::uint64_t{0} >> (64 - width);
  if (!holds(s, record) || !s.simple || record.active != all || m_idle.apart()) return false;
  Pattern const& p = m_patterns[s.pattern];
  if (p.key != s.what || p.place != s.place(record.base) || p.active != all || !same_offsets<width>(record, p.offsets))
    return false;
  AccessSite& site = s.site;
  std::uint32_t const excess = p.cost - std::min(p.cost, p.ideal), most = site.worst.cost - site.worst.ideal;
  if (excess > most || (excess == most && (m_league_rank < site.worst.league ||
                                           (m_league_rank == site.worst.league && warp < site.worst.warp))))
    return false;
  ++site.counts.requests;
  site.counts.lane_accesses += width;
  (site.banked ? site.counts.wavefronts : site.counts.sectors) += p.cost;
  (site.banked ? site.counts.ideal_wavefronts : site.counts.ideal_sectors) += p.ideal;
  return true;
}

void TrafficCounter::count(Team& team, WarpRecord const& record, std::uint32_t warp) {
  std::uint32_t const recent = m_recent[recent_place(record.key)];
  if (recent != 0 && m_device->warp_width == 32 && count_again<32>(m_sites[recent - 1], record, warp)) [[likely]] return;
  if (recent != 0 && m_device->warp_width == 64 && count_again<64>(m_sites[recent - 1], record, warp)) return;
  count_anew(team, record, warp);
}

void TrafficCounter::count_anew(Team& team, WarpRecord const& record, std::uint32_t warp) {
  Counted& s = counted_of(team, record);
  AccessSite& site = s.site;
  Cost const cost = cost_of(record, s);
  ++site.counts.requests;
  std::uint32_t const width = m_device->warp_width;
  (site.banked ? site.counts.wavefronts : site.counts.sectors) += cost.actual;
  (site.banked ? site.counts.ideal_wavefronts : site.counts.ideal_sectors) += cost.ideal;
  if (record.active == ~std::uint64_t{0} >> (64 - width)) {  // most often; counting bits is a call on a plain x86-64
    site.counts.lane_accesses += width;
    m_idle.count_full(record);
  } else {
    site.counts.lane_accesses += static_cast<unsigned>(std::popcount(record.active));
    bool const had_parted = site.parted_at != Site{};
    m_idle.count(team, record, warp, site);
    if (!had_parted && site.parted_at != Site{}) s.parted = {m_league_rank, warp};
  }
  if (s.addresses) count_addresses(record, s);
  WorstWarp& worst = site.worst;
  std::uint32_t const excess = cost.actual - std::min(cost.actual, cost.ideal);
  bool const first = site.counts.requests == 1;
  // Later ones of this team come later in program order, but earlier teams may come later.
  if (!first && excess < worst.cost - worst.ideal) return;
  if (!first && excess == worst.cost - worst.ideal &&
      std::tie(m_league_rank, warp) >= std::tie(worst.league, worst.warp))
    return;
  worst.league = m_league_rank;
  worst.warp = warp;
  worst.occurrence = record.occurrence;
  worst.active = record.active;
  worst.cost = cost.actual;
  worst.ideal = cost.actual - excess;
  worst.vector_length = team.launch().facts.config.vector_length;
  worst.launch = team.launch().facts.number;
  worst.misalignment = static_cast<std::uint32_t>(s.begin % row);
  worst.offsets.fill(0);
  for (std::uint64_t rest = record.active; rest != 0; rest &= rest - 1) {
    int const lane = std::countr_zero(rest);
    std::uintptr_t const address = record.base + record.offset(static_cast<std::uint32_t>(lane));
    worst.offsets[static_cast<std::size_t>(lane)] = static_cast<std::int64_t>(address - s.begin);
  }
}

void TrafficCounter::count_addresses(WarpRecord const& record, Counted& s) {
  std::array<std::int64_t, model::max_warp_width> offsets;
  std::size_t lanes = 0;
  for (std::uint64_t rest = record.active; rest != 0; rest &= rest - 1) {
    std::uintptr_t const address = record.base + record.offset(static_cast<std::uint32_t>(std::countr_zero(rest)));
    offsets[lanes++] = static_cast<std::int64_t>(address - s.begin);
  }
  std::sort(offsets.begin(), offsets.begin() + static_cast<std::ptrdiff_t>(lanes));
  s.addresses->add({offsets.data(), lanes}, m_league_rank);
}

TrafficCounter::Counted& TrafficCounter::counted_of(Team& team, WarpRecord const& record) {
  bool const scratch = key_scratch(record.key);
  std::uint32_t& recent = m_recent[recent_place(record.key)];
  if (recent != 0 && holds(m_sites[recent - 1], record)) return m_sites[recent - 1];

  std::uint64_t id = 0;
  std::uintptr_t begin = record.base & ~(row - 1), end = begin + row;
  Data data;
  if (scratch) {
    if (ScratchPiece const* const p = team.scratch().piece_near(record.base)) {
      id = p->device_offset * 2 + static_cast<std::uint64_t>(p->level) + 1;
      begin = p->begin;
      end = p->begin + p->bytes + Scratch::gap;
    }
  } else if (Allocation const* const a = find_allocation(record.base)) {
    id = a->serial;
    begin = a->data();
    end = a->begin + a->reserved;
  }
  std::uint32_t& head = m_by_key[record.key];
  std::uint32_t index = head;
  while (index != 0 && m_sites[index - 1].data_id != id) index = m_sites[index - 1].next;
  if (index == 0) {
    Counted fresh;
    fresh.key = record.key;
    fresh.data_id = id;
    fresh.next = head;
    fresh.first = m_league_rank;
    AccessSite& site = fresh.site;
    site.at = key_site(record.key);
    site.operation = key_operation(record.key);
    fresh.atomic = key_atomic(record.key);
    // A loop of a host; its operand's type is not known, and floating-point additions are the common case.
    if (fresh.atomic == model::AtomicKind::compare_exchange && has_code(KokkosCode::atomic_loop, site.at))
      fresh.atomic = model::AtomicKind::floating_add;
    site.bytes_per_lane = key_bytes(record.key);
    if (site.operation == model::Operation::atomic) fresh.addresses = std::make_unique<AtomicAddresses>();
    site.data = scratch ? describe_scratch(team, record.base, site.bytes_per_lane)
                        : describe_global(record.base, site.bytes_per_lane);
    site.banked = scratch && site.data.scratch_level == 0;
    site.data.offset = 0;  // the site is about all of it, whichever lane came first
    site.data.address = 0;
    site.data.index.clear();
    // The instruction does not matter, but what kind of atomic it is does.
    fresh.what = (record.key & 0x3f) | static_cast<std::uint64_t>(fresh.atomic) << 6;
    // Banks go round: moving all lanes by whole words changes nothing. Sectors do so by whole sectors.
    fresh.round = (site.banked ? m_device->bank_width : m_device->sector_bytes) - 1;
    fresh.simple = site.operation != model::Operation::atomic;
    m_sites.push_back(std::move(fresh));
    index = head = static_cast<std::uint32_t>(m_sites.size());
  }
  Counted& s = m_sites[index - 1];
  s.begin = begin;
  s.end = end;
  s.team = scratch ? m_league_rank + 1 : 0;
  s.first = std::min(s.first, m_league_rank);
  recent = index;
  return s;
}

TrafficCounter::Cost TrafficCounter::cost_of(WarpRecord const& record, Counted& site) {
  std::uint32_t const width = m_device->warp_width;
  std::uint64_t const place = site.place(record.base);
  // The sectors of an atomic depend on whole addresses.
  bool const repeats = site.site.banked || site.simple;
  auto const same = [&](Pattern const& p) {
    return p.key == site.what && p.place == place && p.active == record.active && same_offsets(record, p.offsets, width);
  };
  if (repeats)
    if (Pattern const& latest = m_patterns[site.pattern]; same(latest)) return {latest.cost, latest.ideal};
  Offsets offsets;
  for (std::uint32_t lane = 0; lane != width; ++lane) offsets[lane] = static_cast<std::uint32_t>(record.offset(lane));
  Pattern* pattern = nullptr;
  if (repeats) {
    site.pattern = static_cast<std::uint32_t>(pattern_hash(offsets, record.active, mixed(site.what, place), width) &
                                              (remembered_patterns - 1));
    pattern = &m_patterns[site.pattern];
    if (same(*pattern)) return {pattern->cost, pattern->ideal};
  }
  std::array<std::uint64_t, model::max_warp_width> addresses{};
  for (std::uint32_t lane = 0; lane != width; ++lane) addresses[lane] = record.base + record.offset(lane);
  model::WarpAccess const access{
      key_operation(record.key), key_bytes(record.key), record.active, {addresses.data(), width}, site.atomic};
  Cost cost;
  if (site.site.banked) {
    model::SharedCounts const counts = count_shared(*m_device, access);
    cost = {counts.wavefronts, counts.ideal()};
  } else {
    cost = {count_global(*m_device, access).sectors, ideal_sectors(*m_device, access)};
  }
  if (pattern != nullptr) {
    pattern->key = site.what;
    pattern->active = record.active;
    pattern->place = place;
    pattern->cost = cost.actual;
    pattern->ideal = cost.ideal;
    pattern->offsets = offsets;
  }
  return cost;
}

}  // namespace teamsan::detect

namespace teamsan::events {

using namespace detect;

void warps_begin(Team& team) { team.checks().traffic.begin_team(*team.launch().traffic, team.league_rank()); }

void warp_accessed(Team& team, WarpRecord const& record, std::uint32_t warp) {
  team.checks().traffic.count(team, record, warp);
}

void warp_will_access(Team& team, WarpRecord const& record) { team.checks().traffic.idle_lanes().expect(record); }

void warp_window_ended(Team& team) { team.checks().traffic.idle_lanes().end_window(); }

void construct_met(Team& team, Meeting meeting, Join join) { team.checks().traffic.count_meeting(meeting, join); }

}  // namespace teamsan::events
