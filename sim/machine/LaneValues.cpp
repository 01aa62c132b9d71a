// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaneValues.hpp"

#include "../base/Arena.hpp"
#include "../entry/pass/Abi.h"
#include "../entry/pass/Bounded.h"
#include "../memory/Allocations.hpp"
#include "../memory/Initialised.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>
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
std::pair<Wide, Wide> bounds_of_memory(std::uintptr_t begin, std::uintptr_t end, std::uint64_t step, std::uint64_t mask) {
  using Several [[gnu::vector_size(16)]] = Element;
  auto const number = [&](std::uintptr_t at) {
    Element e;
    std::memcpy(&e, reinterpret_cast<void const*>(at), sizeof e);
    return static_cast<Element>(static_cast<std::uint64_t>(e) & mask);
  };
  Element least = number(begin), most_of = least;
  if (step == sizeof(Element) && mask == ~std::uint64_t{0}) {
    bounds_of_dense<Element, Several>(begin, end, least, most_of);
  } else {
    for (std::uintptr_t at = begin; step != 0 && at + sizeof(Element) <= end; at += step)
      least = std::min(least, number(at)), most_of = std::max(most_of, number(at));
  }
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

/// Of which fewer bits count, in a sum or a product; 0: all of both do.
std::uint8_t less_of(std::uint8_t a, std::uint8_t b) { return a == 0 ? b : b == 0 ? a : std::min(a, b); }

std::uint64_t stride(std::uint64_t step) { return static_cast<std::int64_t>(step) < 0 ? -step : step; }

}  // namespace

bool are_same(Indices const& a, Indices const& b) {
  return a.rank == b.rank && std::equal(a.first, a.first + a.rank, b.first) && std::equal(a.count, a.count + a.rank, b.count);
}

void LaneValue::add(Spread const& more) {
  if (more.slack == 0) return;
  for (Spread& s : spreads)
    if (s.slack == 0 || s.grain == more.grain) {
      s = {more.grain, s.slack + more.slack};
      return;
    }
  spreads = {Spread{std::gcd(grain(), more.grain), slack() + more.slack}};
}

LaneIndices::LaneIndices(Indices const& of_launch, unsigned long long const* accesses, void const* functor,
                         std::uint32_t context)
    : LaneIndices(of_launch) {
  if (rank != 1) return;
  std::vector<std::uint64_t> divisors;
  LaneIndices const whole(of_launch);
  LaneValues values(functor, whole, context);
  values.note_divisors(divisors);
  unsigned long long const* at = accesses + 1;
  for (unsigned long long access = *accesses & TEAMSAN_ACCESSES_COUNT; access != 0; --access) {
    unsigned long long const words = *at++ >> TEAMSAN_ACCESS_WORDS_SHIFT;
    values.value({at, words});
    at += words;
  }
  std::uint64_t const count = of_launch.count[0];
  std::erase_if(divisors, [&](std::uint64_t by) { return by <= 1 || by >= count; });
  std::ranges::sort(divisors);
  divisors.erase(std::unique(divisors.begin(), divisors.end()), divisors.end());
  if (divisors.empty() || divisors.size() >= Indices::most) return;
  std::uint64_t below = 1;
  for (std::uint64_t const by : divisors) {
    if (by % below != 0) return;
    below = by;
  }
  auto const step = static_cast<std::int64_t>(below);
  if (of_launch.first[0] % step != 0) return;
  more = count % below != 0;
  // The fastest one last.
  unsigned const digits = static_cast<unsigned>(divisors.size()) + 1;
  indices.rank = digits;
  indices.first[0] = of_launch.first[0] / step;
  indices.count[0] = (count + below - 1) / below;
  weights[0] = below;
  for (unsigned d = 1; d != digits; ++d) {
    weights[d] = d + 1 == digits ? 1 : divisors[digits - 2 - d];
    indices.first[d] = 0;
    indices.count[d] = weights[d - 1] / weights[d];
  }
}

std::optional<LaneValue> LaneValues::value(std::span<Word const> words) {
  if (!compute(words) || m_size != 1) return {};
  return m_stack[0];
}

/// What comes next takes these bits of a number alone: by its words, a constant and the operation. All of them: it does not.
std::uint64_t LaneValues::mask_of(std::span<Word const> next) {
  bool const masks =
      next.size() >= 3 && (next[0] & 0xff) == teamsan_affine_constant && (next[2] & 0xff) == teamsan_bounded_bits;
  return masks ? next[1] : ~std::uint64_t{0};
}

bool LaneValues::compute(std::span<Word const> words) {
  m_size = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    Word const w = words[i];
    bool known = true;
    settle(w, i + 1 < words.size() ? words[i + 1] : 0);
    if (m_size == m_from.size()) return false;
    Word const operation = w & 0xff;
    if (operation == teamsan_affine_constant || operation == teamsan_affine_index || operation == teamsan_affine_functor ||
        operation == teamsan_bounded_any)
      m_from[m_size] = i;
    switch (operation) {
      case teamsan_affine_constant:
        known = ++i < words.size() && push({words[i]});
        break;
      case teamsan_affine_index:
        known = w >> TEAMSAN_AFFINE_FROM_SHIFT < m_all.rank && push_index(w >> TEAMSAN_AFFINE_FROM_SHIFT);
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
        known = m_size != 0 && load({bits_of(w), is_signed(w), mask_of(words.subspan(i + 1))},
                                    words.subspan(m_from[m_size - 1], i - m_from[m_size - 1]));
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
    if (!known) return false;
  }
  for (std::size_t i = 0; i != m_size; ++i) settle(m_stack[i]);
  return true;
}

/// What goes beyond its bits may do so in sums and products of which no more bits count; elsewhere it is any number of these.
void LaneValues::settle(Word w, Word next) {
  Word const operation = w & 0xff;
  if (operation == teamsan_affine_constant || operation == teamsan_affine_index || operation == teamsan_affine_functor ||
      operation == teamsan_affine_fit)
    return;
  bool const goes_on = operation == teamsan_affine_add || operation == teamsan_affine_subtract ||
                       operation == teamsan_affine_multiply;
  unsigned const bits = (next & 0xff) == teamsan_affine_fit ? bits_of(next) : 64;
  for (std::size_t i = m_size < 3 ? 0 : m_size - 3; i != m_size; ++i)
    if (!goes_on || m_stack[i].modulo < bits) settle(m_stack[i]);
}
void LaneValues::settle(LaneValue& v) {
  unsigned const bits = std::exchange(v.modulo, 0);
  if (bits == 0 || v.known == Known::never_computed) return;
  v = {};
  v.add({1, (std::uint64_t{1} << bits) - 1});
}

void LaneValues::narrow(Word head, std::span<Word const> words) {
  if (m_no_lane || words.empty() || !compute(words)) return;
  unsigned const kind = head >> TEAMSAN_CONDITION_SHIFT & 7, of_quotient = kind >= teamsan_condition_quotient_below;
  bool const natural = head >> TEAMSAN_CONDITION_SHIFT & teamsan_condition_natural;
  if (m_size != (of_quotient ? 3 : 2)) return;
  LaneValue const a = m_stack[0], b = m_stack[m_size - 1];
  std::optional<Range> const x = range(a), y = range(b);
  if (!x || !y) return;
  constexpr Wide half = Wide{1} << 31;
  switch (kind) {
    case teamsan_condition_below:
    case teamsan_condition_up_to: {
      if (natural && y->least < 0) return;
      Wide const less = kind == teamsan_condition_below;
      m_no_lane |= x->least + less > y->most;
      keep_at_most(a, y->most - less);
      return keep_at_least(b, x->least + less);
    }
    case teamsan_condition_same:
      keep_at_most(a, y->most);
      keep_at_least(a, y->least);
      keep_at_most(b, x->most);
      return keep_at_least(b, x->least);
    case teamsan_condition_differs:
      if (is_exact(b)) leave_out(a, y->least);
      if (is_exact(a)) leave_out(b, x->least);
      return;
    case teamsan_condition_within:
      if (y->least < 0 || (natural && (y->most >= half || x->least < -half || x->most >= 2 * half))) return;
      keep_at_least(a, 0);
      return keep_at_most(a, y->most);
    default: {
      std::optional<Range> const by = range(m_stack[1]);
      if (!by || by->least <= 0 || by->least != by->most) return;
      if (x->least < 0 || y->least < 0 || y->most > int_most / by->most) return;
      LaneValue quotient, rest;
      if (take_apart(a, by->most, quotient, rest)) {
        if (kind == teamsan_condition_quotient_below) return keep_at_most(quotient, y->most - 1);
        return keep_at_least(quotient, y->least);
      }
      if (kind == teamsan_condition_quotient_below) return keep_at_most(a, y->most * by->most - 1);
      return keep_at_least(a, y->least * by->most);
    }
  }
}

void LaneValues::drop(unsigned d, Wide from_begin, Wide from_end) {
  from_begin = std::max<Wide>(from_begin, 0), from_end = std::max<Wide>(from_end, 0);
  if (from_begin + from_end >= m_indices.count[d]) {
    m_no_lane = true;
    return;
  }
  m_indices.first[d] += static_cast<std::int64_t>(from_begin);
  m_indices.count[d] -= static_cast<std::uint64_t>(from_begin + from_end);
}

/// Of which the value is an element, and some number more that is the same in all lanes.
LookupTable* LaneValues::whole_table(LaneValue const& v) {
  if (v.known != Known::bounds || v.share.table == 0 || v.share.times != 1 || v.share.rest != 0) return nullptr;
  for (unsigned d = 0; d != Indices::most; ++d)
    if (v.step[d] != 0) return nullptr;
  return &m_tables[v.share.table - 1];
}

/// By each index, whatever the others are; or by what lanes find in a table.
void LaneValues::keep_at_most(LaneValue const& v, Wide most) {
  if (LookupTable* const t = whole_table(v)) {
    t->to = std::min(t->to, most - (static_cast<std::int64_t>(v.base) - t->least));
    return;
  }
  for (unsigned d = 0; d != m_indices.rank && !m_no_lane; ++d) {
    Wide const step = static_cast<std::int64_t>(v.step[d]), way = step * (m_indices.count[d] - 1);
    if (step == 0) continue;
    std::optional<Range> const all = range(v);
    if (!all) return;
    // What it is at the least where this index is the one with the least of it.
    Wide const too_much = all->least + (way < 0 ? -way : way) - most;  // where it is the one with the most
    if (too_much <= 0) continue;
    Wide const lanes = (too_much + (step < 0 ? -step : step) - 1) / (step < 0 ? -step : step);
    step < 0 ? drop(d, lanes, 0) : drop(d, 0, lanes);
  }
}
void LaneValues::keep_at_least(LaneValue const& v, Wide least) {
  if (LookupTable* const t = whole_table(v)) {
    t->from = std::max(t->from, least - (static_cast<std::int64_t>(v.base) - t->least));
    return;
  }
  for (unsigned d = 0; d != m_indices.rank && !m_no_lane; ++d) {
    Wide const step = static_cast<std::int64_t>(v.step[d]), way = step * (m_indices.count[d] - 1);
    if (step == 0) continue;
    std::optional<Range> const all = range(v);
    if (!all) return;
    Wide const too_little = least - (all->most - (way < 0 ? -way : way));
    if (too_little <= 0) continue;
    Wide const lanes = (too_little + (step < 0 ? -step : step) - 1) / (step < 0 ? -step : step);
    step < 0 ? drop(d, 0, lanes) : drop(d, lanes, 0);
  }
}
/// At either end of the one index that it hangs on, or of what is found in a table.
void LaneValues::leave_out(LaneValue const& v, Wide number) {
  if (LookupTable* const t = whole_table(v)) {
    Wide const element = number - (static_cast<std::int64_t>(v.base) - t->least);
    if (element == t->least) t->from = std::max(t->from, element + 1);
    if (element == t->most) t->to = std::min(t->to, element - 1);
    return;
  }
  if (v.slack() != 0) return;
  unsigned axis = Indices::most;
  for (unsigned d = 0; d != m_indices.rank; ++d)
    if (v.step[d] != 0 && m_indices.count[d] != 1) {
      if (axis != Indices::most) return;
      axis = d;
    }
  std::optional<Range> const all = range(v);
  if (axis == Indices::most || !all) return;
  bool const down = static_cast<std::int64_t>(v.step[axis]) < 0;
  drop(axis, (down ? all->most : all->least) == number, (down ? all->least : all->most) == number);
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
  r.least += from, r.most += from + v.slack();
  if (r.least < int_least || r.most > int_most) return {};
  return r;
}
std::optional<LaneValues::Range> LaneValues::range(LaneValue const& v, Word w) const {
  std::optional<Range> const r = range(v);
  if (r && !is_signed(w) && r->least < 0) return {};
  return r;
}

bool LaneValues::is_exact(LaneValue const& v) const {
  if (v.known != Known::bounds || v.slack() != 0) return false;
  for (unsigned d = 0; d != Indices::most; ++d)
    if (v.step[d] != 0 && (d >= m_indices.rank || m_indices.count[d] != 1)) return false;
  return true;
}

std::uint64_t LaneValues::grain_of(LaneValue const& v) const {
  std::uint64_t common = v.grain();
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
  Wide const begin = Wide{r.first} + span.least, end = Wide{r.first} + span.most + address.slack() + bytes;
  if (begin < Wide{arena::device} || end > Wide{arena::device + arena::device_bytes}) return {};
  r.begin = static_cast<std::uintptr_t>(begin);
  r.end = static_cast<std::uintptr_t>(end);
  r.grain = grain_of(address);
  // As such an instruction must be.
  std::uintptr_t const to = std::max<std::uintptr_t>(bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : bytes, alignment);
  if ((bytes % 4 != 0 && bytes > 2) || r.first % to != 0 || r.grain % to != 0) return {};
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
  grain = std::max<std::uint64_t>(grain, 1);
  auto const slack = static_cast<std::uint64_t>(most_of - least);
  v.add({grain, slack - slack % grain});
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
  if (m_all.rank == m_indices.rank)
    v.step[which] = 1;
  else
    v.step = m_all.weights;  // of digits that there are not all are 1
  for (unsigned d = m_indices.rank; d < Indices::most; ++d) v.step[d] = 0;
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
  TableShare share = a.share.table != 0 ? a.share : b.share;
  if (a.share.table != 0 && b.share.table != 0) share = {};
  share.rest += share.table == 0 ? 0 : a.share.table != 0 ? b.slack() : a.slack();
  if (a.share.table == 0 && times != 1) share.times = -share.times;
  if (times != 1) b.base += b.slack();  // less e: from there on down
  a.base += times * b.base;
  for (unsigned d = 0; d != Indices::most; ++d) a.step[d] += times * b.step[d];
  if (Wide{a.slack()} + b.slack() >= most_slack) return a.known = Known::nothing, true;
  for (Spread const& s : b.spreads) a.add(s);
  a.share = share;
  a.modulo = less_of(a.modulo, b.modulo);
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
  a.modulo = less_of(a.modulo, b.modulo);
  std::uint64_t const by = first(b);
  if (Wide{a.slack()} * stride(by) >= most_slack) return a.known = Known::nothing, true;
  if (static_cast<std::int64_t>(by) < 0) a.base += a.slack();
  a.base *= by;
  for (std::uint64_t& step : a.step) step *= by;
  Spreads const spreads = std::exchange(a.spreads, {});
  for (Spread const& s : spreads) a.add({s.grain * stride(by), s.slack * stride(by)});
  constexpr std::uint64_t most_times = 1u << 30;
  if (by == 0 || stride(by) > most_times || stride(static_cast<std::uint64_t>(a.share.times)) > most_times)
    a.share = {};
  else
    a.share = {a.share.table, a.share.times * static_cast<std::int64_t>(by), a.share.rest * stride(by)};
  return true;
}

/// What does not wrap around stays what it is. A number with a sign that does is none that lanes compute.
bool LaneValues::fit(Word w) {
  if (m_size == 0) return false;
  LaneValue& v = m_stack[m_size - 1];
  unsigned const bits = bits_of(w);
  if (bits == 0 || bits > 63) return false;
  if (v.known == Known::never_computed) return true;
  if (v.modulo != 0 && v.modulo < bits) settle(v);
  std::optional<Range> const r = range(v);
  Wide const least = is_signed(w) ? -(Wide{1} << (bits - 1)) : Wide{0}, numbers = Wide{1} << bits;
  bool const goes_around = v.modulo != 0 || !is_signed(w);
  if (r && r->least >= least && r->most < least + numbers) return v.modulo = 0, true;
  if (!goes_around) return false;
  if (r) {
    // All of it lies between the same two multiples?
    Wide const below = r->least - least, turns = (below < 0 ? below - numbers + 1 : below) / numbers;
    if (r->most - turns * numbers < least + numbers) {
      v.base -= static_cast<std::uint64_t>(turns * numbers);
      v.modulo = 0;
      return true;
    }
    if (!is_signed(w) && bits <= 32) return v.modulo = static_cast<std::uint8_t>(bits), true;
  }
  --m_size;
  return push_nothing(w);
}

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
  constexpr std::uint64_t most_lanes = 1 << 22;
  std::uint64_t lanes = 1, elements = 0;
  for (unsigned d = 0; d != m_indices.rank && lanes <= most_lanes; ++d) lanes *= m_indices.count[d];
  if (m_is_one_lane || m_no_lane || lanes > most_lanes) return nullptr;
  for (Read const& known : m_reads)
    if (known.by_lanes && known.as == as && are_same(*known.by_lanes, m_indices) && std::ranges::equal(known.address, address))
      return &known;
  if (m_looks == nullptr || (!m_looked && !m_looks->may_look())) return nullptr;
  LaneValues lane(m_functor, m_all, m_context);
  lane.m_is_one_lane = true;
  Read all{~std::uintptr_t{0}, 0, 0, as, 0, -1, m_indices, {address.begin(), address.end()}};
  lane.m_indices = m_indices;
  std::fill_n(lane.m_indices.count, m_indices.rank, 1);
  for (unsigned d = 0; d != m_indices.rank;) {
    std::optional<LaneValue> const v = lane.value(address);
    if (!v) return nullptr;
    if (v->known != Known::never_computed) {
      std::optional<Reach> const r = lane.reach(*v, as.bytes, alignment);
      if (!r || !initialised::are_written(r->begin, r->end, r->grain, as.bytes)) return nullptr;
      if (as.is_number()) {
        auto const bounds = bounds_of(*r, as);
        if (!bounds) return nullptr;
        bool const is_first = all.end == 0;
        all.least = is_first ? bounds->first : std::min(all.least, bounds->first);
        all.most = is_first ? bounds->second : std::max(all.most, bounds->second);
      }
      all.begin = std::min(all.begin, r->begin);
      all.end = std::max(all.end, r->end);
      elements += r->grain == 0 ? 1 : (r->end - r->begin - as.bytes) / r->grain + 1;
    }
    for (d = 0; d != m_indices.rank; ++d) {
      if (++lane.m_indices.first[d] != m_indices.first[d] + static_cast<std::int64_t>(m_indices.count[d])) break;
      lane.m_indices.first[d] = m_indices.first[d];
    }
  }
  // Each in an allocation, but which?
  if (all.end != 0) {
    Allocation const* const a = find_allocation(all.begin);
    if (a == nullptr || all.end > a->end()) return nullptr;
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
  Wide const each = r.grain == 0 ? 1 : (r.end - r.begin) / r.grain + 1;
  if (each > 64 * lanes + 4096 || !initialised::is_whole(r.begin, r.end)) return nullptr;
  auto const all = bounds_of(r, as);
  if (!all) return nullptr;
  m_reads.push_back({r.begin, r.end, r.grain, as, all->first, all->second});
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
  if (a.step == b.step && a.slack() == 0 && b.slack() == 0 && between < most_slack) {
    LaneValue one = x->least < y->least ? a : b;
    one.share = {};
    one.add({static_cast<std::uint64_t>(between), static_cast<std::uint64_t>(between)});
    return push(one);
  }
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
  if (m_divisors != nullptr && by->least == by->most) m_divisors->push_back(static_cast<std::uint64_t>(by->least));
  LaneValue quotient, rest;
  if (natural && by->least == by->most && take_apart(a, by->least, quotient, rest)) return push(remainder ? rest : quotient);
  if (!remainder) return natural ? push_range(of->least / by->most, of->most / by->least) : push_nothing(w);
  if (natural && of->most < by->least) return push(a);
  if (natural) return push_range(0, std::min(of->most, by->most - 1));
  return push_range(is_signed(w) ? 1 - by->most : Wide{0}, by->most - 1);
}

/// A number that is none less than 0 by its digits: those that are whole multiples, and others which together are less than
/// one.
bool LaneValues::take_apart(LaneValue const& v, Wide by, LaneValue& quotient, LaneValue& remainder) const {
  if (v.known != Known::bounds || v.slack() != 0) return false;
  Wide const from = static_cast<std::int64_t>(first(v));
  Range low{from % by, from % by};
  quotient.base = static_cast<std::uint64_t>(from / by);
  remainder.base = static_cast<std::uint64_t>(from % by);
  for (unsigned d = 0; d != m_indices.rank; ++d) {
    if (m_indices.count[d] == 1) continue;
    Wide const step = static_cast<std::int64_t>(v.step[d]);
    LaneValue& of = step % by == 0 ? quotient : remainder;
    Wide const each = step % by == 0 ? step / by : step, way = each * (m_indices.count[d] - 1);
    if (step % by != 0) (way < 0 ? low.least : low.most) += way;
    of.step[d] = static_cast<std::uint64_t>(each);
    of.base -= of.step[d] * static_cast<std::uint64_t>(m_indices.first[d]);
  }
  return low.least >= 0 && low.most < by;
}

bool LaneValues::common_bits(Word w) {
  if (m_size < 2) return false;
  LaneValue const b = m_stack[--m_size], a = m_stack[--m_size];
  if (a.known == Known::never_computed || b.known == Known::never_computed)
    return push(LaneValue{.known = Known::never_computed});
  std::optional<Range> const x = range(a), y = range(b);
  bool const natural_x = x && x->least >= 0, natural_y = y && y->least >= 0;
  if (!natural_x && !natural_y) return push_nothing(w);
  if (natural_x && natural_y && y->least == y->most && (y->most & (y->most + 1)) == 0) {
    if (m_divisors != nullptr) m_divisors->push_back(static_cast<std::uint64_t>(y->most) + 1);
    LaneValue quotient, rest;
    if (take_apart(a, y->most + 1, quotient, rest)) return push(rest);
  }
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
  if (most_of ? x->least >= y->most : x->most <= y->least) return push(a);
  if (most_of ? y->least >= x->most : y->most <= x->least) return push(b);
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
