// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DecidedLaunch.hpp"

#include "../entry/pass/Abi.h"
#include "../entry/pass/Bounded.h"
#include "../memory/Allocations.hpp"
#include "../memory/DeviceWrites.hpp"
#include "../memory/GlobalShadow.hpp"
#include "../memory/Initialised.hpp"
#include "LaneValues.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <utility>

namespace teamsan {

namespace {

constexpr std::size_t most_accesses = 512;

/// Where several lanes are, the shortest way first.
std::span<LaneRows::Way> in_order(LaneRows::Ways& ways) {
  auto const end = std::remove_if(ways.begin(), ways.end(), [](LaneRows::Way const& w) { return w.count == 1; });
  std::sort(ways.begin(), end, [](auto const& a, auto const& b) { return a.stride() < b.stride(); });
  return {ways.begin(), end};
}

}  // namespace

bool LaneRows::are_apart(Row const& a, Row const& b) {
  if (a.end <= b.begin || b.end <= a.begin) return true;
  if (a.by_one && b.by_one && a.lane == b.lane) return true;
  if (a.updates != 0 && a.updates == b.updates) return true;
  Wide const between = Wide{b.first} - Wide{a.first};
  // Where all ways are multiples of one distance, each access has its part of that.
  std::uint64_t common = 0;
  for (Ways const* const ways : {&a.ways, &b.ways})
    for (Way const& w : *ways)
      if (w.count != 1) common = std::gcd(common, w.stride());
  if (common != 0) {
    Wide const rest = (between % common + common) % common;
    if (rest >= a.bytes && rest + Wide{b.bytes} <= common) return true;
  }
  // Where both go the same ways, two lanes are as far from each other as these are, at the least.
  if (a.ways != b.ways) return false;
  Wide const width = std::max<Wide>(a.bytes, between + Wide{b.bytes}) - std::min<Wide>(0, between);
  Ways ways = a.ways;
  Wide shorter = 0;
  for (Way const& w : in_order(ways)) {
    if (Wide{w.stride()} - shorter < width) return false;
    shorter += Wide{w.stride()} * (w.count - 1);
  }
  return true;
}

std::optional<LaneRows> LaneRows::of(LaneAccesses const& accesses, Indices const& of_launch, std::uint32_t context) {
  if (accesses.words == nullptr || accesses.functor == nullptr || of_launch.rank == 0 || of_launch.rank > Indices::most)
    return {};
  for (unsigned d = 0; d != of_launch.rank; ++d)
    if (of_launch.count[d] == 0 || of_launch.count[d] >> 32 != 0) return {};
  std::size_t const count = *accesses.words;
  if (count > most_accesses) return {};
  LaneIndices const all_lanes(of_launch, accesses.words, accesses.functor, context);
  Indices const& indices = all_lanes.indices;
  LaneRows all;
  all.m_moment = device_writes::moment();
  LaneValues values(accesses.functor, all_lanes, context);
  std::vector<Row>& rows = all.m_rows;
  rows.reserve(count);
  unsigned long long const* at = accesses.words + 1;
  for (std::size_t i = 0; i != count; ++i) {
    unsigned long long const head = *at++;
    std::size_t const words = head >> TEAMSAN_ACCESS_WORDS_SHIFT;
    std::span<unsigned long long const> const value{at, words};
    at += words;
    if (head & TEAMSAN_ACCESS_CONDITION) {
      if (head & TEAMSAN_CONDITION_ANEW) values.all_lanes();
      values.narrow(head, value);
      continue;
    }
    if (!values.any_lane()) continue;
    std::optional<LaneValue> const address = values.value(value);
    if (!address) return {};
    std::uint32_t const bytes = head >> TEAMSAN_ACCESS_BYTES_SHIFT & TEAMSAN_ACCESS_MOST_BYTES;
    if (bytes == 0 || address->known == LaneValue::Known::never_computed) continue;
    std::optional<Reach> const reach = values.reach(*address, bytes, 1u << (head >> TEAMSAN_ACCESS_ALIGNMENT_SHIFT & 15));
    if (!reach) return {};
    Row r;
    r.begin = reach->begin, r.end = reach->end;
    Indices const& lanes = values.lanes();
    Wide first = Wide{reach->first};
    r.by_one = true;
    for (unsigned d = 0; d != indices.rank; ++d) {
      r.ways[d] = {indices.count[d] == 1 ? 0 : static_cast<std::int64_t>(address->step[d]), indices.count[d]};
      first -= Wide{static_cast<std::int64_t>(address->step[d])} * (Wide{lanes.first[d]} - indices.first[d]);
      r.by_one &= lanes.count[d] == 1;
      r.lane[d] = lanes.first[d];
    }
    if (first < 0 || first >> 62 != 0) return {};
    r.first = static_cast<std::uintptr_t>(first);
    r.bytes = bytes + address->slack;
    r.stores = head & TEAMSAN_ACCESS_STORES;
    if (head & TEAMSAN_ACCESS_ATOMIC) r.updates = bytes;
    r.conditional = (head & TEAMSAN_ACCESS_CONDITIONAL) || address->slack != 0;
    rows.push_back(r);
  }
  for (Row const& a : rows)
    if (a.stores)
      for (Row const& b : rows)
        if (!are_apart(a, b)) return {};
  for (LaneValues::Read const& read : values.reads())
    for (Row const& r : rows)
      if (r.stores && r.begin < read.end && read.begin < r.end) return {};
  auto const lies_in = [&](std::uintptr_t begin, bool is_read) {
    Allocation const* const a = find_allocation(begin);
    for (Place& p : all.m_places)
      if (p.allocation == a) return void(p.is_read |= is_read);
    all.m_places.push_back({a, a->serial, is_read});
  };
  for (Row const& r : rows) lies_in(r.begin, false);
  for (LaneValues::Read const& read : values.reads()) lies_in(read.begin, true);
  return all;
}

bool LaneRows::hold_still() const {
  return std::ranges::all_of(m_places, [&](Place const& p) {
    return p.allocation->live && p.allocation->serial == p.serial &&
           (!p.is_read || device_writes::is_as_it_was(*p.allocation, m_moment));
  });
}

std::optional<DecidedLaunch> DecidedLaunch::of(LaneAccesses const& accesses, Indices const& indices, std::uint32_t context) {
  std::optional<LaneRows> const rows = LaneRows::of(accesses, indices, context);
  if (!rows) return {};
  return of(*rows);
}

std::optional<DecidedLaunch> DecidedLaunch::of(LaneRows const& rows) {
  DecidedLaunch decided;
  for (LaneRows::Row const& r : rows.rows()) {
    bool const written = initialised::is_whole(r.begin, r.end);
    if (!written && (!r.stores || r.conditional)) return {};
    if (!written) decided.m_stores.push_back(r);
  }
  return decided;
}

void DecidedLaunch::leave() const {
  for (LaneRows::Row const& r : m_stores) {
    LaneRows::Ways all = r.ways;
    std::span<LaneRows::Way> ways = in_order(all);
    std::uint64_t bytes = r.bytes;  // without gaps, from each of the places that are left
    std::uintptr_t from = r.begin;
    for (; !ways.empty() && ways.front().stride() == bytes; ways = ways.subspan(1)) bytes *= ways.front().count;
    if (ways.empty()) {
      global_shadow::mark_initialised(from, bytes);
      initialised::note_whole(from, from + bytes);
      continue;
    }
    std::array<std::uint64_t, Indices::most> at{};
    for (std::size_t d = 0; d != ways.size();) {
      global_shadow::mark_initialised(from, bytes);
      for (d = 0; d != ways.size(); ++d) {
        from += ways[d].stride();
        if (++at[d] != ways[d].count) break;
        from -= ways[d].stride() * ways[d].count;
        at[d] = 0;
      }
    }
  }
}

}  // namespace teamsan
