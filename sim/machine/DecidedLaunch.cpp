// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DecidedLaunch.hpp"

#include "../entry/pass/Abi.h"
#include "../entry/pass/Bounded.h"
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

constexpr std::size_t most_accesses = 128;

/// Where several lanes are, the shortest way first.
std::span<DecidedLaunch::Way> in_order(DecidedLaunch::Ways& ways) {
  auto const end = std::remove_if(ways.begin(), ways.end(), [](DecidedLaunch::Way const& w) { return w.count == 1; });
  std::sort(ways.begin(), end, [](auto const& a, auto const& b) { return a.stride() < b.stride(); });
  return {ways.begin(), end};
}

}  // namespace

bool DecidedLaunch::are_apart(Row const& a, Row const& b) {
  if (a.end <= b.begin || b.end <= a.begin) return true;
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

std::optional<DecidedLaunch> DecidedLaunch::of(LaneAccesses const& accesses, Indices const& indices, std::uint32_t context) {
  if (accesses.words == nullptr || accesses.functor == nullptr || indices.rank == 0 || indices.rank > Indices::most) return {};
  for (unsigned d = 0; d != indices.rank; ++d)
    if (indices.count[d] == 0 || indices.count[d] >> 32 != 0) return {};
  std::size_t const count = *accesses.words;
  if (count > most_accesses) return {};
  LaneValues values(accesses.functor, indices, context);
  std::vector<Row> rows;
  rows.reserve(count);
  unsigned long long const* at = accesses.words + 1;
  for (std::size_t i = 0; i != count; ++i) {
    unsigned long long const head = *at++;
    std::size_t const words = head >> TEAMSAN_ACCESS_WORDS_SHIFT;
    std::optional<LaneValue> const address = values.value({at, words});
    at += words;
    if (!address) return {};
    std::uint32_t const bytes = head >> TEAMSAN_ACCESS_BYTES_SHIFT & TEAMSAN_ACCESS_MOST_BYTES;
    if (bytes == 0 || address->known == LaneValue::Known::never_computed) continue;
    std::optional<Reach> const reach = values.reach(*address, bytes, 1u << (head >> TEAMSAN_ACCESS_ALIGNMENT_SHIFT & 15));
    if (!reach) return {};
    Row r;
    r.begin = reach->begin, r.end = reach->end, r.first = reach->first;
    for (unsigned d = 0; d != indices.rank; ++d)
      r.ways[d] = {indices.count[d] == 1 ? 0 : static_cast<std::int64_t>(address->step[d]), indices.count[d]};
    r.bytes = bytes + address->slack;
    r.stores = head & TEAMSAN_ACCESS_STORES;
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
  DecidedLaunch decided;
  for (Row const& r : rows) {
    bool const written = initialised::is_whole(r.begin, r.end);
    if (!written && (!r.stores || r.conditional)) return {};
    if (!written) decided.m_stores.push_back(r);
  }
  return decided;
}

void DecidedLaunch::leave() const {
  for (Row const& r : m_stores) {
    Ways all = r.ways;
    std::span<Way> ways = in_order(all);
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
