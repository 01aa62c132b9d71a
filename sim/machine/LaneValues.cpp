// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaneValues.hpp"

#include "../base/Arena.hpp"
#include "../entry/pass/Abi.h"
#include "../entry/pass/Bounded.h"
#include "../memory/Allocations.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace teamsan {

namespace {

/// Of which fewer bits count, in a sum or a product; 0: all of both do.
std::uint8_t less_of(std::uint8_t a, std::uint8_t b) { return a == 0 ? b : b == 0 ? a : std::min(a, b); }

std::uint64_t stride(std::uint64_t step) { return static_cast<std::int64_t>(step) < 0 ? -step : step; }

}  // namespace

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
  if (of && by->least == by->most && is_whole(a, by->least))
    return push(remainder ? LaneValue{} : whole_quotient(a, by->least));
  if (w & TEAMSAN_QUOTIENT_EXACT) return push_nothing(w);
  if (m_divisors != nullptr && by->least == by->most) m_divisors->push_back(static_cast<std::uint64_t>(by->least));
  LaneValue quotient, rest;
  if (natural && by->least == by->most && take_apart(a, by->least, quotient, rest)) return push(remainder ? rest : quotient);
  if (!remainder) return natural ? push_range(of->least / by->most, of->most / by->least) : push_nothing(w);
  if (natural && of->most < by->least) return push(a);
  if (natural) return push_range(0, std::min(of->most, by->most - 1));
  return push_range(is_signed(w) ? 1 - by->most : Wide{0}, by->most - 1);
}

/// Are all parts of it multiples of that? Then so is their sum, of either sign.
bool LaneValues::is_whole(LaneValue const& v, Wide by) const {
  return static_cast<std::int64_t>(first(v)) % by == 0 && grain_of(v) % static_cast<std::uint64_t>(by) == 0;
}
LaneValue LaneValues::whole_quotient(LaneValue const& v, Wide by) const {
  LaneValue quotient;
  quotient.base = static_cast<std::uint64_t>(static_cast<std::int64_t>(first(v)) / by);
  for (unsigned d = 0; d != m_indices.rank; ++d) {
    if (m_indices.count[d] == 1) continue;
    quotient.step[d] = static_cast<std::uint64_t>(static_cast<std::int64_t>(v.step[d]) / by);
    quotient.base -= quotient.step[d] * static_cast<std::uint64_t>(m_indices.first[d]);
  }
  auto const part = static_cast<std::uint64_t>(by);
  for (Spread const& s : v.spreads) quotient.add({s.grain / part, s.slack / part});
  return quotient;
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

std::uint64_t LaneValues::number_of_functor(Word w) const {
  auto const* const at = static_cast<unsigned char const*>(m_functor) + (w >> TEAMSAN_AFFINE_FROM_SHIFT);
  unsigned const bytes = bits_of(w), bits = 64 - 8 * bytes;
  std::uint64_t number = 0;
  std::memcpy(&number, at, bytes);
  return is_signed(w) ? static_cast<std::uint64_t>(static_cast<std::int64_t>(number << bits) >> bits) : number;
}

}  // namespace teamsan
