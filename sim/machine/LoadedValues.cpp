// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What lanes find in memory, before the launch: between the least and the most of it (LaneValues.hpp).
#include "LaneValues.hpp"

#include "../memory/Allocations.hpp"
#include "../memory/Initialised.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace teamsan {

namespace {

/// Of elements that lie side by side: four at a time, which is a few instructions for each.
template <class Element, class Several>
void bounds_of_dense(std::uintptr_t begin, std::uintptr_t end, Element& least, Element& most_of) {
  constexpr std::size_t width = sizeof(Several) / sizeof(Element);
  std::uintptr_t at = begin;
  if (end - begin >= 2 * sizeof(Several)) {
    Several low, high, next;
    std::memcpy(&low, reinterpret_cast<void const*>(at), sizeof low);
    high = low;
    for (at += sizeof low; at + sizeof next <= end; at += sizeof next) {
      std::memcpy(&next, reinterpret_cast<void const*>(at), sizeof next);
      low = next < low ? next : low;
      high = next > high ? next : high;
    }
    for (std::size_t i = 0; i != width; ++i) {
      least = std::min<Element>(least, low[i]);
      most_of = std::max<Element>(most_of, high[i]);
    }
  }
  for (; at < end; at += sizeof(Element)) {
    Element one;
    std::memcpy(&one, reinterpret_cast<void const*>(at), sizeof one);
    least = std::min(least, one), most_of = std::max(most_of, one);
  }
}

template <class Element>
std::pair<Wide, Wide> bounds_of_memory(std::uintptr_t begin, std::uintptr_t end, std::uint64_t step, std::uint64_t mask) {
  using Several [[gnu::vector_size(16)]] = Element;
  // As wide as what is masked: bits of a mask beyond the element's are those of its sign.
  using Number = std::conditional_t<std::is_signed_v<Element>, std::int64_t, std::uint64_t>;
  auto const element = [](std::uintptr_t at) {
    Element e;
    std::memcpy(&e, reinterpret_cast<void const*>(at), sizeof e);
    return e;
  };
  auto const number = [&](std::uintptr_t at) {
    return static_cast<Number>(static_cast<std::uint64_t>(Number{element(at)}) & mask);
  };
  if (step == sizeof(Element) && mask == ~std::uint64_t{0}) {
    Element least = element(begin), most_of = least;
    bounds_of_dense<Element, Several>(begin, end, least, most_of);
    return {least, most_of};
  }
  Number least = number(begin), most_of = least;
  for (std::uintptr_t at = begin; step != 0 && at + sizeof(Element) <= end; at += step)
    least = std::min(least, number(at)), most_of = std::max(most_of, number(at));
  return {least, most_of};
}

/// The least and the most of them. Nothing: one is too large to be counted here.
std::optional<std::pair<Wide, Wide>> bounds_of(Reach const& r, LaneValues::LoadedAs as) {
  auto const bounds = [&]<class Signed>(Signed) {
    return as.is_signed ? bounds_of_memory<Signed>(r.begin, r.end, r.grain, as.mask)
                        : bounds_of_memory<std::make_unsigned_t<Signed>>(r.begin, r.end, r.grain, as.mask);
  };
  std::pair<Wide, Wide> const all = as.bytes == 1   ? bounds(std::int8_t{})
                                    : as.bytes == 2 ? bounds(std::int16_t{})
                                    : as.bytes == 4 ? bounds(std::int32_t{})
                                                    : bounds_of_memory<std::int64_t>(r.begin, r.end, r.grain, as.mask);
  if (as.bytes == 8 && !as.is_signed && all.first < 0) return {};
  return all;
}

}  // namespace

bool LaneValues::load(LoadedAs as, std::span<Word const> words) {
  LaneValue const address = m_stack[--m_size];
  if (address.known == Known::never_computed) return push(address);
  if (!as.is_number()) return false;
  if (m_divisors != nullptr)
    return push_nothing(Word{8 * as.bytes} << TEAMSAN_AFFINE_BYTES_SHIFT | Word{as.is_signed} << TEAMSAN_AFFINE_SIGN_SHIFT);
  std::optional<Reach> const r = reach(address, as.bytes);
  if (m_is_one_lane) {
    bool const written = r && initialised::are_written(r->begin, r->end, r->grain, as.bytes);
    auto const all = written ? bounds_of(*r, as) : std::nullopt;
    return all && push_range(all->first, all->second);
  }
  auto const all_of = [&](LoadedAs how) {
    Read const* const all = r ? read(*r, how) : nullptr;
    return all == nullptr && address.slack() != 0 ? read_by_lanes(words, how) : all;
  };
  Read const* all = all_of({as.bytes, as.is_signed});
  bool const stays = (as.mask & (as.mask + 1)) == 0 && all != nullptr && all->least >= 0 && Wide{as.mask} >= all->most;
  if (all != nullptr && ~as.mask != 0 && !stays) all = all_of(as);
  return all != nullptr && push_element(address, *all);
}

LaneValues::Read const* LaneValues::read_by_lanes(std::span<Word const> address, LoadedAs as, std::uint32_t alignment) {
  constexpr std::uint64_t most_lanes = 1 << 22, most_elements_each = 1024;
  std::uint64_t lanes = 1, elements = 0;
  for (unsigned d = 0; d != m_indices.rank && lanes <= most_lanes; ++d) lanes *= m_indices.count[d];
  if (m_is_one_lane || m_no_lane || lanes > most_lanes) return nullptr;
  for (Read const& known : m_reads)
    if (known.by_lanes && known.alignment >= alignment && known.as == as && are_same(*known.by_lanes, m_indices) &&
        std::ranges::equal(known.address, address))
      return &known;
  if (m_looks == nullptr || (!m_looked && !m_looks->may_look())) return nullptr;
  LaneValues lane(m_functor, m_all, m_context);
  lane.m_is_one_lane = true;
  Read all{~std::uintptr_t{0}, 0, 0, as, 0, -1, m_indices, {address.begin(), address.end()}, alignment};
  lane.m_indices = m_indices;
  std::fill_n(lane.m_indices.count, m_indices.rank, 1);
  std::uint64_t looked_at = 0;
  auto const in_vain = [&] { return m_looks->failed(looked_at, lanes, elements), nullptr; };
  for (unsigned d = 0; d != m_indices.rank;) {
    ++looked_at;
    std::optional<LaneValue> const v = lane.value(address);
    if (!v) return in_vain();
    if (v->known != Known::never_computed) {
      std::optional<Reach> const r = lane.reach(*v, as.bytes, alignment);
      if (!r) return in_vain();
      elements += r->grain == 0 ? 1 : (r->end - r->begin - as.bytes) / r->grain + 1;
      if (elements > most_elements_each * lanes) return in_vain();
      if (!initialised::are_written(r->begin, r->end, r->grain, as.bytes)) return in_vain();
      if (as.is_number()) {
        auto const bounds = bounds_of(*r, as);
        if (!bounds) return in_vain();
        bool const is_first = all.end == 0;
        all.least = is_first ? bounds->first : std::min(all.least, bounds->first);
        all.most = is_first ? bounds->second : std::max(all.most, bounds->second);
      }
      all.begin = std::min(all.begin, r->begin);
      all.end = std::max(all.end, r->end);
    }
    for (d = 0; d != m_indices.rank; ++d) {
      if (++lane.m_indices.first[d] != m_indices.first[d] + static_cast<std::int64_t>(m_indices.count[d])) break;
      lane.m_indices.first[d] = m_indices.first[d];
    }
  }
  // Each in an allocation, but which?
  if (all.end != 0) {
    Allocation const* const a = find_allocation(all.begin);
    if (a == nullptr || all.end > a->end()) return in_vain();
  } else {
    all.begin = 0;
  }
  m_looks->looked(lanes, elements);
  m_looked = true;
  m_reads.push_back(all);
  return &m_reads.back();
}

/// Conditions may have left lanes that found some of the numbers alone.
bool LaneValues::push_element(LaneValue const& address, Read const& all) {
  bool is_table = false;
  for (unsigned d = 0; d != m_indices.rank; ++d) is_table |= address.step[d] != 0 && m_indices.count[d] > 1;
  bool const in_part = ~all.as.mask != 0;  // what differs may be alike then
  if (!is_table || address.slack() != 0 || in_part) return push_range(all.least, all.most);
  LookupTable table{address.base, address.step, all.as.bytes, all.as.is_signed};
  auto const same = std::ranges::find_if(m_tables, [&](LookupTable const& t) { return t.is_same_memory(table); });
  if (same != m_tables.end()) table = *same;
  table.least = std::max(all.least, table.from), table.most = std::min(all.most, table.to);
  auto const number = static_cast<std::uint32_t>(same - m_tables.begin());
  if (same != m_tables.end())
    *same = table;
  else
    m_tables.push_back(table);
  if (!push_range(table.least, table.most)) return false;
  LaneValue& v = m_stack[m_size - 1];
  if (v.known == Known::bounds) v.share = {number + 1, 1, 0};
  return true;
}

LaneValues::Read const* LaneValues::read(Reach const& r, LoadedAs as) {
  for (Read const& known : m_reads)
    if (known.begin == r.begin && known.end == r.end && known.grain == r.grain && known.as == as && !known.by_lanes)
      return &known;
  // Lanes that read here and there are few words for much that would be looked at.
  Wide lanes = 1;
  for (unsigned d = 0; d != m_indices.rank; ++d) lanes *= m_indices.count[d];
  Wide const all_of_them = r.grain == 0 ? 1 : (r.end - r.begin) / r.grain + 1;
  bool const is_dense = r.grain == as.bytes && ~as.mask == 0;  // rows of lists, say: several are looked at in a nanosecond
  if (all_of_them > (is_dense ? 256 : 64) * lanes + 4096 || !initialised::is_whole(r.begin, r.end)) return nullptr;
  auto const all = bounds_of(r, as);
  if (!all) return nullptr;
  m_reads.push_back({r.begin, r.end, r.grain, as, all->first, all->second});
  return &m_reads.back();
}

}  // namespace teamsan
