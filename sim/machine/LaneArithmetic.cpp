// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What operations make of two numbers that lanes compute (LaneValues.hpp).
#include "LaneValues.hpp"

#include "../entry/pass/Abi.h"
#include "../entry/pass/Bounded.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace teamsan {

namespace {

/// Of which fewer bits count, in a sum or a product; 0: all of both do.
std::uint8_t less_of(std::uint8_t a, std::uint8_t b) { return a == 0 ? b : b == 0 ? a : std::min(a, b); }

}  // namespace

/// The lower one, and so many times the upper one: once, or once less.
bool LaneValues::join(std::uint64_t times) {
  if (m_size < 2) return false;
  LaneValue b = m_stack[--m_size];
  LaneValue& a = m_stack[m_size - 1];
  if (a.known == Known::never_computed || b.known == Known::never_computed) return a.known = Known::never_computed, true;
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
  if (a.known == Known::never_computed || b.known == Known::never_computed) return a.known = Known::never_computed, true;
  if (is_exact(a)) std::swap(a, b);
  if (a.known == Known::nothing || b.known == Known::nothing) return a.known = Known::nothing, true;
  if (!is_exact(b)) return false;
  a.modulo = less_of(a.modulo, b.modulo);
  std::uint64_t const by = first(b);
  if (Wide{a.slack()} * magnitude(by) >= most_slack) return a.known = Known::nothing, true;
  if (static_cast<std::int64_t>(by) < 0) a.base += a.slack();
  a.base *= by;
  for (std::uint64_t& step : a.step) step *= by;
  Spreads const spreads = std::exchange(a.spreads, {});
  for (Spread const& s : spreads) a.add({s.grain * magnitude(by), s.slack * magnitude(by)});
  constexpr std::uint64_t most_times = 1u << 30;
  if (by == 0 || magnitude(by) > most_times || magnitude(static_cast<std::uint64_t>(a.share.times)) > most_times)
    a.share = {};
  else
    a.share = {a.share.table, a.share.times * static_cast<std::int64_t>(by), a.share.rest * magnitude(by)};
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

}  // namespace teamsan
