// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which lanes a condition lets through, as far as indices, and what is looked up, tell (LaneValues.hpp).
#include "LaneValues.hpp"

#include "../entry/pass/Bounded.h"

#include <algorithm>

namespace teamsan {

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

/// By each index, whatever the others are; or by what lanes find in a table. With the other sign the least is the most.
void LaneValues::keep(Bound which, LaneValue const& v, Wide bound) {
  Wide const sign = static_cast<Wide>(which);
  if (LookupTable* const t = whole_table(v)) {
    Wide const element = bound - (static_cast<std::int64_t>(v.base) - t->least);
    if (which == Bound::most)
      t->to = std::min(t->to, element);
    else
      t->from = std::max(t->from, element);
    return;
  }
  for (unsigned d = 0; d != m_indices.rank && !m_no_lane; ++d) {
    Wide const step = sign * static_cast<std::int64_t>(v.step[d]), each = step < 0 ? -step : step;
    if (step == 0) continue;
    std::optional<Range> const all = range(v);
    if (!all) return;
    // What it is at the least where this index is the one with the least of it, and so where it is the one with the most.
    Wide const least = sign * (which == Bound::most ? all->least : all->most);
    Wide const too_much = least + each * (m_indices.count[d] - 1) - sign * bound;
    if (too_much <= 0) continue;
    Wide const lanes = (too_much + each - 1) / each;
    step < 0 ? drop(d, lanes, 0) : drop(d, 0, lanes);
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

}  // namespace teamsan
