// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaneValues.hpp"

#include "../base/Arena.hpp"
#include "../entry/pass/Abi.h"
#include "../entry/pass/Bounded.h"
#include "../memory/Allocations.hpp"
#include "../memory/Initialised.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace teamsan {

namespace {

constexpr Wide most_slack = Wide{1} << 62, int_most = (Wide{1} << 63) - 1, int_least = -int_most - 1;

constexpr unsigned bits_of(unsigned long long w) { return w >> TEAMSAN_AFFINE_BYTES_SHIFT & 0xff; }
constexpr bool is_signed(unsigned long long w) { return w >> TEAMSAN_AFFINE_SIGN_SHIFT & 1; }

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
std::pair<Wide, Wide> bounds_of_memory(std::uintptr_t begin, std::uintptr_t end, std::uint64_t step) {
  using Several [[gnu::vector_size(16)]] = Element;
  Element first;
  std::memcpy(&first, reinterpret_cast<void const*>(begin), sizeof first);
  Element least = first, most_of = first;
  if (step == sizeof(Element)) {
    bounds_of_dense<Element, Several>(begin, end, least, most_of);
  } else {
    for (std::uintptr_t at = begin; step != 0 && at + sizeof first <= end; at += step) {
      std::memcpy(&first, reinterpret_cast<void const*>(at), sizeof first);
      least = std::min(least, first), most_of = std::max(most_of, first);
    }
  }
  return {least, most_of};
}

std::uint64_t stride(std::uint64_t step) { return static_cast<std::int64_t>(step) < 0 ? -step : step; }

}  // namespace

std::optional<LaneValue> LaneValues::value(std::span<Word const> words) {
  m_size = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    Word const w = words[i];
    bool known = true;
    switch (w & 0xff) {
      case teamsan_affine_constant:
        known = ++i < words.size() && push({words[i]});
        break;
      case teamsan_affine_index:
        known = w >> TEAMSAN_AFFINE_FROM_SHIFT < m_indices.rank && push_index(w >> TEAMSAN_AFFINE_FROM_SHIFT);
        break;
      case teamsan_affine_functor:
        known = push({number_of_functor(w)});
        break;
      case teamsan_affine_add:
        known = join(1);
        break;
      case teamsan_affine_subtract:
        known = join(~std::uint64_t{0});
        break;
      case teamsan_affine_multiply:
        known = multiply();
        break;
      case teamsan_affine_fit:
        known = fit(w);
        break;
      case teamsan_bounded_any:
        known = push_nothing(w);
        break;
      case teamsan_bounded_load:
        known = load(w);
        break;
      case teamsan_bounded_either:
        known = either();
        break;
      case teamsan_bounded_remainder:
      case teamsan_bounded_quotient:
        known = divide(w, (w & 0xff) == teamsan_bounded_remainder);
        break;
      case teamsan_bounded_bits:
        known = common_bits(w);
        break;
      case teamsan_bounded_least:
      case teamsan_bounded_most:
        known = least_or_most(w, (w & 0xff) == teamsan_bounded_most);
        break;
      case teamsan_bounded_counter:
        known = count_turns(w);
        break;
      case teamsan_bounded_past:
        known = step_past(w);
        break;
      default:
        known = false;
    }
    if (!known) return {};
  }
  if (m_size != 1) return {};
  return m_stack[0];
}

std::uint64_t LaneValues::first(LaneValue const& v) const {
  std::uint64_t sum = v.base;
  for (unsigned d = 0; d != m_indices.rank; ++d) sum += v.step[d] * static_cast<std::uint64_t>(m_indices.first[d]);
  return sum;
}

LaneValues::Range LaneValues::span_of_lanes(LaneValue const& v) const {
  Range s;
  for (unsigned d = 0; d != m_indices.rank; ++d) {
    Wide const way = Wide{static_cast<std::int64_t>(v.step[d])} * (m_indices.count[d] - 1);
    (way < 0 ? s.least : s.most) += way;
  }
  return s;
}

std::optional<LaneValues::Range> LaneValues::range(LaneValue const& v) const {
  if (v.known != Known::bounds) return {};
  Range r = span_of_lanes(v);
  Wide const from = static_cast<std::int64_t>(first(v));
  r.least += from, r.most += from + v.slack;
  if (r.least < int_least || r.most > int_most) return {};
  return r;
}
std::optional<LaneValues::Range> LaneValues::range(LaneValue const& v, Word w) const {
  std::optional<Range> const r = range(v);
  if (r && !is_signed(w) && r->least < 0) return {};
  return r;
}

bool LaneValues::is_exact(LaneValue const& v) const {
  if (v.known != Known::bounds || v.slack != 0) return false;
  for (unsigned d = 0; d != Indices::most; ++d)
    if (v.step[d] != 0 && (d >= m_indices.rank || m_indices.count[d] != 1)) return false;
  return true;
}

std::uint64_t LaneValues::grain_of(LaneValue const& v) const {
  std::uint64_t common = v.slack == 0 ? 0 : v.grain;
  for (unsigned d = 0; d != m_indices.rank; ++d)
    if (m_indices.count[d] != 1) common = std::gcd(common, stride(v.step[d]));
  return common;
}

std::optional<LaneValues::Range> LaneValues::range_of_type(Word w) {
  unsigned const bits = bits_of(w);
  if (bits == 0 || bits > 63 || (bits > 61 && !is_signed(w))) return {};
  if (!is_signed(w)) return Range{0, (Wide{1} << bits) - 1};
  return Range{-(Wide{1} << (bits - 1)), (Wide{1} << (bits - 1)) - 1};
}

std::optional<Reach> LaneValues::reach(LaneValue const& address, std::uint32_t bytes, std::uint32_t alignment) const {
  if (address.known != Known::bounds || bytes == 0) return {};
  Reach r;
  r.first = first(address);
  Range const span = span_of_lanes(address);
  Wide const begin = Wide{r.first} + span.least, end = Wide{r.first} + span.most + address.slack + bytes;
  if (begin < Wide{arena::device} || end > Wide{arena::device + arena::device_bytes}) return {};
  r.begin = static_cast<std::uintptr_t>(begin);
  r.end = static_cast<std::uintptr_t>(end);
  r.grain = grain_of(address);
  // Words of memory whole, as such an instruction must.
  std::uintptr_t const to = std::max<std::uintptr_t>(bytes % 8 == 0 ? 8 : 4, alignment);
  if (bytes % 4 != 0 || r.first % to != 0 || r.grain % to != 0) return {};
  Allocation const* const a = find_allocation(r.begin);
  bool const open = a != nullptr && a->live && a->space == Space::device && !a->closed_to(m_context);
  if (!open || r.begin < a->data() || r.end > a->end()) return {};
  return r;
}

bool LaneValues::push(LaneValue const& v) {
  if (m_size == m_stack.size()) return false;
  m_stack[m_size++] = v;
  return true;
}
bool LaneValues::push_range(Wide least, Wide most_of, std::uint64_t grain) {
  LaneValue v;
  if (most_of < least) {
    v.known = Known::never_computed;
    return push(v);
  }
  if (least < int_least || most_of > int_most || most_of - least >= most_slack) {
    v.known = Known::nothing;
    return push(v);
  }
  v.base = static_cast<std::uint64_t>(static_cast<std::int64_t>(least));
  v.slack = static_cast<std::uint64_t>(most_of - least);
  v.grain = v.slack == 0 ? 0 : std::max<std::uint64_t>(grain, 1);
  if (v.grain > 1) v.slack -= v.slack % v.grain;
  return push(v);
}
/// But its type.
bool LaneValues::push_nothing(Word w) {
  if (std::optional<Range> const r = range_of_type(w)) return push_range(r->least, r->most);
  LaneValue v;
  v.known = Known::nothing;
  return push(v);
}
bool LaneValues::push_index(std::size_t which) {
  LaneValue v;
  v.step[which] = 1;
  return push(v);
}

/// The lower one, and so many times the upper one: once, or once less.
bool LaneValues::join(std::uint64_t times) {
  if (m_size < 2) return false;
  LaneValue b = m_stack[--m_size];
  LaneValue& a = m_stack[m_size - 1];
  if (a.known == Known::never_computed || b.known == Known::never_computed)
    return a.known = Known::never_computed, true;
  if (a.known == Known::nothing || b.known == Known::nothing) return a.known = Known::nothing, true;
  if (times != 1) b.base += b.slack;  // less e: from there on down
  a.base += times * b.base;
  for (unsigned d = 0; d != Indices::most; ++d) a.step[d] += times * b.step[d];
  if (Wide{a.slack} + b.slack >= most_slack) return a.known = Known::nothing, true;
  if (b.slack != 0) a.grain = a.slack == 0 ? b.grain : std::gcd(a.grain, b.grain);
  a.slack += b.slack;
  return true;
}

bool LaneValues::multiply() {
  if (m_size < 2) return false;
  LaneValue &b = m_stack[--m_size], &a = m_stack[m_size - 1];
  if (a.known == Known::never_computed || b.known == Known::never_computed)
    return a.known = Known::never_computed, true;
  if (is_exact(a)) std::swap(a, b);
  if (a.known == Known::nothing || b.known == Known::nothing) return a.known = Known::nothing, true;
  if (!is_exact(b)) return false;
  std::uint64_t const by = first(b);
  Wide const slack = Wide{a.slack} * stride(by);
  if (static_cast<std::int64_t>(by) < 0) a.base += a.slack;
  a.base *= by;
  for (std::uint64_t& step : a.step) step *= by;
  if (slack >= most_slack) return a.known = Known::nothing, true;
  a.grain = slack == 0 ? 0 : a.grain * stride(by);
  a.slack = static_cast<std::uint64_t>(slack);
  return true;
}

/// What does not wrap around stays what it is. A number with a sign that does is none that lanes compute.
bool LaneValues::fit(Word w) {
  if (m_size == 0) return false;
  LaneValue const& v = m_stack[m_size - 1];
  unsigned const bits = bits_of(w);
  if (bits == 0 || bits > 63) return false;
  if (v.known == Known::never_computed) return true;
  std::optional<Range> const r = range(v);
  Wide const least = is_signed(w) ? -(Wide{1} << (bits - 1)) : Wide{0},
             most_of = (Wide{1} << (is_signed(w) ? bits - 1 : bits)) - 1;
  if (r && r->least >= least && r->most <= most_of) return true;
  if (is_signed(w)) return false;
  --m_size;
  return push_nothing(w);
}

bool LaneValues::load(Word w) {
  if (m_size == 0) return false;
  LaneValue const address = m_stack[--m_size];
  if (address.known == Known::never_computed) return push(address);
  unsigned const bytes = bits_of(w);
  if (bytes != 4 && bytes != 8) return false;
  std::optional<Reach> const r = reach(address, bytes);
  if (!r) return false;
  Read const* const all = read(*r, bytes, is_signed(w));
  return all != nullptr && push_range(all->least, all->most);
}

LaneValues::Read const* LaneValues::read(Reach const& r, unsigned bytes, bool is_signed) {
  for (Read const& known : m_reads)
    if (known.begin == r.begin && known.end == r.end && known.grain == r.grain && known.bytes == bytes &&
        known.is_signed == is_signed)
      return &known;
  // Lanes that read here and there are few words for much that would be looked at.
  Wide lanes = 1;
  for (unsigned d = 0; d != m_indices.rank; ++d) lanes *= m_indices.count[d];
  Wide const each = r.grain == 0 ? 1 : (r.end - r.begin) / r.grain + 1;
  if (each > 64 * lanes + 4096 || !initialised::is_whole(r.begin, r.end)) return nullptr;
  std::pair<Wide, Wide> all;
  if (bytes == 4)
    all = is_signed ? bounds_of_memory<std::int32_t>(r.begin, r.end, r.grain)
                    : bounds_of_memory<std::uint32_t>(r.begin, r.end, r.grain);
  else
    all = bounds_of_memory<std::int64_t>(r.begin, r.end, r.grain);
  if (bytes == 8 && !is_signed && all.first < 0) return nullptr;
  m_reads.push_back({r.begin, r.end, r.grain, bytes, is_signed, all.first, all.second});
  return &m_reads.back();
}

bool LaneValues::either() {
  if (m_size < 2) return false;
  LaneValue const b = m_stack[--m_size], a = m_stack[--m_size];
  if (a.known == Known::never_computed) return push(b);
  if (b.known == Known::never_computed) return push(a);
  std::optional<Range> const x = range(a), y = range(b);
  if (!x || !y) return push(a.known == Known::nothing ? a : b.known == Known::nothing ? b : LaneValue{.known = Known::nothing});
  Wide const between = x->least < y->least ? y->least - x->least : x->least - y->least;
  std::uint64_t const grain = std::gcd(std::gcd(grain_of(a), grain_of(b)), static_cast<std::uint64_t>(between));
  return push_range(std::min(x->least, y->least), std::max(x->most, y->most), grain);
}

bool LaneValues::divide(Word w, bool remainder) {
  if (m_size < 2) return false;
  LaneValue const b = m_stack[--m_size], a = m_stack[--m_size];
  if (b.known == Known::never_computed) return push(b);
  if (a.known == Known::never_computed) return push(a);
  std::optional<Range> const by = range(b, w), of = range(a, w);
  if (!by || by->least <= 0) return false;
  bool const natural = of && of->least >= 0;
  if (!remainder) return natural ? push_range(of->least / by->most, of->most / by->least) : push_nothing(w);
  if (natural && of->most < by->least) return push(a);
  if (natural) return push_range(0, std::min(of->most, by->most - 1));
  return push_range(is_signed(w) ? 1 - by->most : Wide{0}, by->most - 1);
}

bool LaneValues::common_bits(Word w) {
  if (m_size < 2) return false;
  LaneValue const b = m_stack[--m_size], a = m_stack[--m_size];
  if (a.known == Known::never_computed || b.known == Known::never_computed)
    return push(LaneValue{.known = Known::never_computed});
  std::optional<Range> const x = range(a), y = range(b);
  bool const natural_x = x && x->least >= 0, natural_y = y && y->least >= 0;
  if (!natural_x && !natural_y) return push_nothing(w);
  for (bool const swapped : {false, true}) {
    std::optional<Range> const &mask = swapped ? x : y, &of = swapped ? y : x;
    if (mask && of && mask->least == mask->most && (mask->most & (mask->most + 1)) == 0 && of->least >= 0 &&
        of->most <= mask->most)
      return push(swapped ? b : a);
  }
  return push_range(0, !natural_y ? x->most : !natural_x ? y->most : std::min(x->most, y->most));
}

bool LaneValues::least_or_most(Word w, bool most_of) {
  if (m_size < 2) return false;
  LaneValue const b = m_stack[--m_size], a = m_stack[--m_size];
  if (a.known == Known::never_computed || b.known == Known::never_computed)
    return push(LaneValue{.known = Known::never_computed});
  std::optional<Range> const x = range(a, w), y = range(b, w);
  if (!x || !y) return push_nothing(w);
  if (most_of) return push_range(std::max(x->least, y->least), std::max(x->most, y->most));
  return push_range(std::min(x->least, y->least), std::min(x->most, y->most));
}

/// The largest number has none behind it: a loop that goes on up to it, itself included, goes on for ever, or until another way
/// out is taken.
bool LaneValues::step_past(Word w) {
  if (m_size < 1) return false;
  LaneValue& v = m_stack[m_size - 1];
  if (v.known == Known::never_computed) return true;
  std::optional<Range> const r = range(v, w);
  bool const down = w & TEAMSAN_COUNTER_DOWN;
  if (!r || (down ? r->least == int_least : r->most == int_most)) return false;
  v.base += down ? ~std::uint64_t{0} : 1;
  return true;
}

/// A loop that goes down is looked at as one that goes up, all numbers negative.
bool LaneValues::count_turns(Word w) {
  if (m_size < 3) return false;
  LaneValue const step = m_stack[--m_size], bound = m_stack[--m_size], begin = m_stack[--m_size];
  if (begin.known == Known::never_computed) return push(begin);
  if (bound.known == Known::never_computed) return push(bound);
  std::optional<Range> from = range(begin), to = range(bound);
  if (!from || !to || !is_exact(step)) return false;
  bool const down = w & TEAMSAN_COUNTER_DOWN, of_next = w & TEAMSAN_COUNTER_NEXT, entered = w & TEAMSAN_COUNTER_ENTERED;
  bool const natural = (w & TEAMSAN_COUNTER_NATURAL) || !is_signed(w);
  if (natural && to->least < 0) return false;
  Wide by = static_cast<std::int64_t>(first(step));
  unsigned const bits = bits_of(w);
  if (bits == 0 || bits > 64) return false;
  Range type{is_signed(w) ? -(Wide{1} << (bits - 1)) : Wide{0},
             std::min((Wide{1} << (is_signed(w) ? bits - 1 : bits)) - 1, int_most)};
  if (natural) type.least = 0;
  auto const turned = [](Range const& r) { return Range{-r.most, -r.least}; };
  if (down) from = turned(*from), to = turned(*to), type = turned(type), by = -by;
  if (by <= 0) return false;
  if (w & TEAMSAN_COUNTER_DIFFERS) {
    Wide const way = to->least - from->most;
    bool const meets = from->least == from->most && to->least == to->most && way % by == 0;
    bool const reached = of_next ? way > 0 : way >= 0;
    if (!(by == 1 ? entered || reached : meets && reached)) return false;
  }
  bool const within = (w & TEAMSAN_COUNTER_WITHIN) || (of_next && entered);
  Wide const last = to->most - 1;
  Wide const compared = std::max(from->most + (of_next ? by : 0), last + by);
  if (from->least < type.least || compared > type.most) return false;
  Wide const highest = within ? last : std::max(from->most, of_next ? last : last + by);
  if (highest < from->least) return push(LaneValue{.known = Known::never_computed});
  if (w & TEAMSAN_COUNTER_TURNS) return push_range(0, (highest - from->least) / by);
  auto const grain = std::gcd(grain_of(begin), static_cast<std::uint64_t>(by));
  Wide const way = (highest - from->least) / static_cast<Wide>(grain) * static_cast<Wide>(grain);
  return down ? push_range(-from->least - way, -from->least, grain) : push_range(from->least, from->least + way, grain);
}

std::uint64_t LaneValues::number_of_functor(Word w) const {
  auto const* const at = static_cast<unsigned char const*>(m_functor) + (w >> TEAMSAN_AFFINE_FROM_SHIFT);
  unsigned const bytes = bits_of(w), bits = 64 - 8 * bytes;
  std::uint64_t number = 0;
  std::memcpy(&number, at, bytes);
  return is_signed(w) ? static_cast<std::uint64_t>(static_cast<std::int64_t>(number << bits) >> bits) : number;
}

}  // namespace teamsan
