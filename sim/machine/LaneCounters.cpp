// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a loop's counter comes to in the lanes of a launch (LaneValues.hpp), by where it begins, its bound and its step: the
/// compilers' own say what it is (entry/pass/gcc/Counters.cpp, llvm/Counters.cpp).
#include "LaneValues.hpp"

#include "../entry/pass/Bounded.h"

#include <algorithm>
#include <numeric>

namespace teamsan {

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

}  // namespace teamsan
