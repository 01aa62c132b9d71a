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

/// A way on: from lane to lane, or in one lane.
struct Distance {
  std::uint64_t stride = 0, count = 1;
  bool of_lanes = false;
};

/// Are accesses of two lanes, by these ways in any order, at least `width` bytes from each other's beginning?
bool stay_apart(std::span<Distance> ways, Wide width) {
  std::ranges::sort(ways, {}, &Distance::stride);
  Wide shorter = 0;
  bool lanes_below = false;  // of two lanes the longest way that they differ by is none below the first of lanes
  for (Distance const& w : ways) {
    if (w.count == 1) continue;
    lanes_below |= w.of_lanes;
    if (lanes_below && Wide{w.stride} - shorter < width) return false;
    shorter += Wide{w.stride} * (w.count - 1);
  }
  return true;
}

/// Do two accesses have parts of their own in each stretch of so many bytes? Ways on by multiples of that lead from one to the
/// next.
bool are_apart_in(std::uint64_t stretch, LaneRows::Row const& a, LaneRows::Row const& b) {
  auto const part_of = [&](LaneRows::Row const& r) {
    Wide from = Wide{r.first}, to = from + r.bytes;
    for (LaneRows::Way const& w : r.ways)
      if (w.stride() % stretch != 0) (w.step < 0 ? from : to) += Wide{w.step} * (w.count - 1);
    for (Spread const& s : r.spreads)
      if (s.slack != 0 && s.grain % stretch != 0) to += s.slack;
    return std::pair(from, to);
  };
  auto const [a_from, a_to] = part_of(a);
  auto const [b_from, b_to] = part_of(b);
  Wide const rest = ((b_from - a_from) % stretch + stretch) % stretch;
  return rest >= a_to - a_from && rest + (b_to - b_from) <= Wide{stretch};
}

/// Has every byte been written that some lane that comes there may touch?
bool is_written(LaneRows::Row const& r) {
  if (r.is_written || initialised::is_whole(r.begin, r.end)) return true;
  std::array<Distance, Indices::most + std::tuple_size_v<Spreads>> all;
  std::size_t count = 0;
  std::uint64_t pieces = 1, bytes = r.bytes;
  for (std::size_t d = 0; d != r.ways.size(); ++d)
    if (r.counts[d] > 1 && r.ways[d].step != 0) all[count++] = {r.ways[d].stride(), r.counts[d], true};
  for (Spread const& s : r.spreads)
    if (s.slack != 0) all[count++] = {s.grain, s.slack / s.grain + 1, false};
  std::span<Distance> ways(all.data(), count);
  std::ranges::sort(ways, {}, &Distance::stride);
  for (; !ways.empty() && ways.front().stride <= bytes; ways = ways.subspan(1))
    bytes += ways.front().stride * (ways.front().count - 1);
  constexpr std::uint64_t most_pieces = 1 << 14;
  for (Distance const& w : ways)
    if (pieces *= w.count; w.count > most_pieces || pieces > most_pieces) return false;
  if (ways.empty()) return false;
  std::array<std::uint64_t, std::tuple_size_v<decltype(all)>> at{};
  std::uintptr_t from = r.begin;
  for (std::size_t d = 0; d != ways.size();) {
    if (!initialised::is_whole(from, from + bytes)) return false;
    for (d = 0; d != ways.size(); ++d) {
      from += ways[d].stride;
      if (++at[d] != ways[d].count) break;
      from -= ways[d].stride * ways[d].count;
      at[d] = 0;
    }
  }
  return true;
}

/// What of a row's place each lane has found in a table.
struct RowShare {
  LookupTable table;
  Indices lanes;
  TableShare share;
  std::optional<bool> distinct{};  ///< once it was asked
};

/// Of two rows that have the same share: do lanes stay apart by what they found?
bool are_apart_by(RowShare& a, RowShare const& b, LaneRows::Row const& one, LaneRows::Row const& other) {
  if (!(a.table == b.table) || a.share.times != b.share.times || !are_same(a.lanes, b.lanes) || one.ways != other.ways)
    return false;
  std::array<Distance, Indices::most + 1> ways;
  std::size_t count = 0;
  for (unsigned d = 0; d != a.lanes.rank; ++d) {
    LaneRows::Way const& w = one.ways[d];
    bool const by_table = a.table.step[d] != 0 && a.lanes.count[d] > 1;
    if (by_table && w.step != 0) return false;
    if (!by_table) ways[count++] = {w.stride(), w.count, true};
  }
  auto const times = static_cast<std::uint64_t>(a.share.times);
  ways[count++] = {a.share.times < 0 ? -times : times, static_cast<std::uint64_t>(a.table.most - a.table.least) + 1, true};
  Wide const between = Wide{other.first} - Wide{one.first};
  Wide const of_one = Wide{one.bytes} + a.share.rest, of_other = Wide{other.bytes} + b.share.rest;
  if (!stay_apart({ways.data(), count}, std::max(of_one, between + of_other) - std::min<Wide>(0, between))) return false;
  if (!a.distinct) a.distinct = a.table.is_distinct(a.lanes);
  return *a.distinct;
}

/// Where several lanes are, the shortest way first.
std::span<LaneRows::Way> in_order(LaneRows::Ways& ways) {
  auto const end = std::remove_if(ways.begin(), ways.end(), [](LaneRows::Way const& w) { return w.count == 1; });
  std::ranges::sort(ways.begin(), end, {}, &LaneRows::Way::stride);
  return {ways.begin(), end};
}

}  // namespace

bool LaneRows::are_apart(Row const& a, Row const& b) {
  if (a.end <= b.begin || b.end <= a.begin) return true;
  if (a.by_one && b.by_one && a.lane == b.lane) return true;
  if (a.updates != 0 && a.updates == b.updates) return true;
  Wide const between = Wide{b.first} - Wide{a.first}, a_bytes = Wide{a.bytes} + a.slack, b_bytes = Wide{b.bytes} + b.slack;
  std::uint64_t common = 0;
  for (Row const* const r : {&a, &b}) {
    for (Way const& w : r->ways) {
      if (w.count == 1 || w.step == 0) continue;
      common = std::gcd(common, w.stride());
      if (are_apart_in(w.stride(), a, b)) return true;
    }
    for (Spread const& s : r->spreads)
      if (s.slack != 0 && are_apart_in(s.grain, a, b)) return true;
  }
  if (common != 0 && are_apart_in(common, a, b)) return true;
  // Where both go the same ways, two lanes are as far from each other as these are, at the least.
  if (a.ways != b.ways) return false;
  auto const width = [&](Wide of_a, Wide of_b) { return std::max(of_a, between + of_b) - std::min<Wide>(0, between); };
  std::array<Distance, Indices::most + 2 * std::tuple_size_v<Spreads>> ways;
  std::size_t lanes = 0;
  bool const same_lanes = a.counts == b.counts && a.lane == b.lane;  // that conditions have left
  for (Way const& w : a.ways) {
    std::uint64_t const left = same_lanes ? a.counts[lanes] : 0;
    ways[lanes++] = {w.stride(), left != 0 ? left : w.count, true};
  }
  std::array const of_lanes = ways;
  if (stay_apart({ways.data(), lanes}, width(a_bytes, b_bytes))) return true;
  if (a.slack == 0 && b.slack == 0) return false;
  // Each lane's accesses of both kinds are among those that are apart by what either is.
  ways = of_lanes;
  std::size_t count = lanes;
  for (Spreads const* const spreads : {&a.spreads, &b.spreads})
    for (Spread const& s : *spreads) {
      if (s.slack == 0) continue;
      std::uint64_t const turns = s.slack / s.grain + 1;
      auto const same = std::find_if(ways.begin() + lanes, ways.begin() + count,
                                     [&](Distance const& w) { return w.stride == s.grain; });
      if (same == ways.begin() + count)
        ways[count++] = {s.grain, turns, false};
      else
        same->count = std::max(same->count, turns);
    }
  return stay_apart({ways.data(), count}, width(a.bytes, b.bytes));
}

std::optional<LaneRows> LaneRows::of(LaneAccesses const& accesses, Indices const& of_launch, std::uint32_t context,
                                     WhyChecked& why, LaneLooks* looks) {
  auto const no = [&](char const* reason) {
    why = {reason, 0};
    return std::nullopt;
  };
  if (accesses.words == nullptr || accesses.functor == nullptr || of_launch.rank == 0 || of_launch.rank > Indices::most)
    return no("what its lanes access is not told");
  if (*accesses.words & TEAMSAN_ACCESSES_UNKNOWN) return no(reinterpret_cast<char const*>(accesses.words + 1));
  for (unsigned d = 0; d != of_launch.rank; ++d)
    if (of_launch.count[d] == 0 || of_launch.count[d] >> 32 != 0) return no("its indices are none, or too many");
  if ((*accesses.words & TEAMSAN_ACCESSES_COUNT) > most_accesses) return no("its lanes make too many accesses");
  LaneIndices const all_lanes(of_launch, accesses.words, accesses.functor, context);
  // Rows of which the last is not whole are more than there are: without them more may be known.
  if (all_lanes.more)
    if (std::optional<LaneRows> known = of_lanes(accesses, LaneIndices(of_launch), context, why, looks)) return known;
  return of_lanes(accesses, all_lanes, context, why, looks);
}

std::optional<LaneRows> LaneRows::of_lanes(LaneAccesses const& accesses, LaneIndices const& all_lanes, std::uint32_t context,
                                           WhyChecked& why, LaneLooks* looks) {
  std::uint32_t line = 0;
  auto const no = [&](char const* reason) {
    why = {reason, line};
    return std::nullopt;
  };
  std::size_t const count = *accesses.words & TEAMSAN_ACCESSES_COUNT;
  unsigned long long const* lines = nullptr;
  if (*accesses.words & TEAMSAN_ACCESSES_LINES) {
    lines = accesses.words + 1;
    for (std::size_t i = 0; i != count; ++i) lines += 1 + (*lines >> TEAMSAN_ACCESS_WORDS_SHIFT);
  }
  Indices const& indices = all_lanes.indices;
  LaneRows all;
  all.m_moment = device_writes::moment();
  LaneValues values(accesses.functor, all_lanes, context, looks);
  std::vector<Row>& rows = all.m_rows;
  rows.reserve(count);
  std::vector<RowShare> shares;
  unsigned long long const* at = accesses.words + 1;
  for (std::size_t i = 0; i != count; ++i) {
    unsigned long long const head = *at++;
    std::size_t const words = head >> TEAMSAN_ACCESS_WORDS_SHIFT;
    std::span<unsigned long long const> const value{at, words};
    at += words;
    if (lines != nullptr) line = static_cast<std::uint32_t>(lines[i]);
    if (head & TEAMSAN_ACCESS_CONDITION) {
      if (head & TEAMSAN_CONDITION_ANEW) values.all_lanes();
      values.narrow(head, value);
      continue;
    }
    if (!values.any_lane()) continue;
    std::optional<LaneValue> const address = values.value(value);
    if (!address) return no("a number of its lanes' is not known");
    std::uint32_t const bytes = head >> TEAMSAN_ACCESS_BYTES_SHIFT & TEAMSAN_ACCESS_MOST_BYTES;
    if (bytes == 0 || address->known == LaneValue::Known::never_computed) continue;
    std::uint32_t const alignment = 1u << (head >> TEAMSAN_ACCESS_ALIGNMENT_SHIFT & 15);
    std::optional<Reach> reach = values.reach(*address, bytes, alignment);
    Row r;
    r.line = line;
    r.stores = head & TEAMSAN_ACCESS_STORES;
    if (head & TEAMSAN_ACCESS_ATOMIC) r.updates = bytes;
    // More than lanes read, maybe, of rows that are as long as numbers in memory say.
    bool const may_look = !r.stores && address->known == LaneValue::Known::bounds && address->slack() != 0;
    if (may_look && (!reach || !initialised::is_whole(reach->begin, reach->end)))
      if (LaneValues::Read const* const read = values.read_by_lanes(value, {bytes, true}, alignment)) {
        if (read->end == 0) continue;
        if (!reach) reach.emplace().first = values.first(*address);
        reach->begin = read->begin, reach->end = read->end;
        r.is_written = true;
      }
    if (!reach) return no("an access does not lie in one allocation that it may touch");
    r.begin = reach->begin, r.end = reach->end;
    Indices const& lanes = values.lanes();
    std::copy_n(lanes.count, indices.rank, r.counts.begin());
    Wide first = Wide{reach->first};
    r.by_one = true;
    for (unsigned d = 0; d != indices.rank; ++d) {
      r.ways[d] = {indices.count[d] == 1 ? 0 : static_cast<std::int64_t>(address->step[d]), indices.count[d]};
      first -= Wide{static_cast<std::int64_t>(address->step[d])} * (Wide{lanes.first[d]} - indices.first[d]);
      r.by_one &= lanes.count[d] == 1;
      r.lane[d] = lanes.first[d];
    }
    if (first < 0 || first >> 62 != 0) return no("an address is not known");
    r.first = static_cast<std::uintptr_t>(first);
    r.bytes = bytes;
    r.spreads = address->spreads;
    r.slack = address->slack();
    all.m_hang_on_order |= r.updates != 0 && !r.stores;
    r.conditional = (head & TEAMSAN_ACCESS_CONDITIONAL) || r.slack != 0 || all_lanes.more;
    if (TableShare const& share = address->share; share.table != 0) {
      shares.push_back({values.table(share), lanes, share});
      r.shares = static_cast<std::uint32_t>(shares.size());
    }
    rows.push_back(r);
  }
  auto const are_told_apart = [&](Row const& a, Row const& b) {
    if (are_apart(a, b)) return true;
    return a.shares != 0 && b.shares != 0 && are_apart_by(shares[a.shares - 1], shares[b.shares - 1], a, b);
  };
  for (Row const& a : rows)
    if (a.stores)
      for (Row const& b : rows)
        if (!are_told_apart(a, b)) {
          line = a.line;
          return no("two lanes may come to what is stored");
        }
  for (LaneValues::Read const& read : values.reads())
    for (Row const& r : rows)
      if (r.stores && r.begin < read.end && read.begin < r.end) {
        line = r.line;
        return no("an index, or a bound, may be stored to");
      }
  auto const lies_in = [&](std::uintptr_t begin, bool is_read) {
    Allocation const* const a = find_allocation(begin);
    for (Place& p : all.m_places)
      if (p.allocation == a) return void(p.is_read |= is_read);
    all.m_places.push_back({a, a->serial, is_read});
  };
  for (Row const& r : rows) lies_in(r.begin, false);
  for (LaneValues::Read const& read : values.reads())
    if (read.end != 0) lies_in(read.begin, true);
  all.m_looked_at_lanes = values.looked_at_lanes();
  return all;
}

bool LaneRows::hold_still() const {
  return std::ranges::all_of(m_places, [&](Place const& p) {
    return p.allocation->live && p.allocation->serial == p.serial &&
           (!p.is_read || device_writes::is_as_it_was(*p.allocation, m_moment));
  });
}

std::optional<DecidedLaunch> DecidedLaunch::of(LaneAccesses const& accesses, Indices const& indices, std::uint32_t context) {
  WhyChecked why;
  LaneLooks looks;
  std::optional<LaneRows> const rows = LaneRows::of(accesses, indices, context, why, &looks);
  if (!rows) return {};
  return of(*rows, why);
}

std::optional<DecidedLaunch> DecidedLaunch::of(LaneRows const& rows, WhyChecked& why) {
  DecidedLaunch decided;
  for (LaneRows::Row const& r : rows.rows()) {
    bool const written = is_written(r);
    if (!written && (!r.stores || r.conditional)) {
      why = {r.stores ? "some lanes alone store to memory that is not all written" : "what is read is not all written", r.line};
      return {};
    }
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
