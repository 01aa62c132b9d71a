// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Numbers that go on from turn to turn of a loop, in an address (Addresses.hpp).
#include "Addresses.hpp"

namespace teamsan_plugin {

namespace {

/// By what a number goes on from turn to turn.
HOST_WIDE_INT distance_of(Recurrence const& r) {
  HOST_WIDE_INT const step = sext_hwi(static_cast<HOST_WIDE_INT>(TREE_INT_CST_LOW(r.step)), TYPE_PRECISION(TREE_TYPE(r.step)));
  return r.subtracts ? -step : step;
}

}  // namespace

/// What goes on from turn to turn.
bool Addresses::put_recurrence(Loop const& loop, gphi* phi, Words& to) {
  Off const off(m_keeps);
  if (gimple_phi_result(phi) == loop.counter.value) return put_counter(loop, false, to);
  Recurrence r;
  if (!Loops::recurrence_of(loop, phi, r) || !put(r.first, to) || !put_counter(loop, true, to)) return false;
  if (TREE_CODE(r.step) == INTEGER_CST)
    put_constant(distance_of(r), to);
  else if (!put(r.step, to))
    return false;
  to.push_back(teamsan_affine_multiply);
  to.push_back(r.subtracts && TREE_CODE(r.step) != INTEGER_CST ? teamsan_affine_subtract : teamsan_affine_add);
  put_fit(TREE_TYPE(r.value), to);
  return true;
}

bool Addresses::put_counter(Loop const& loop, bool turns, Words& to) {
  Off const off(m_keeps);
  Recurrence const& c = loop.counter;
  HOST_WIDE_INT const step = distance_of(c);
  bool const down = step < 0;
  switch (loop.goes_on) {
    case LT_EXPR:
    case LE_EXPR:
      if (down) return false;
      break;
    case GT_EXPR:
    case GE_EXPR:
      if (!down) return false;
      break;
    default:
      break;
  }
  if (!m_open_loops.insert(loop.header).second) return false;
  bool const known = put(c.first, to) && put(loop.bound, to), entered = known && is_entered(loop);
  m_open_loops.erase(loop.header);
  if (!known) return false;
  if (loop.goes_on == LE_EXPR || loop.goes_on == GE_EXPR)
    to.push_back(of_type(teamsan_bounded_past, TREE_TYPE(loop.bound)) | (down ? TEAMSAN_COUNTER_DOWN : 0));
  put_constant(step, to);
  bool const within = m_at != nullptr && Loops::is_within(loop, m_at);
  to.push_back(of_type(teamsan_bounded_counter, TREE_TYPE(c.value)) | (down ? TEAMSAN_COUNTER_DOWN : 0) |
               (loop.of_next ? TEAMSAN_COUNTER_NEXT : 0) | (loop.goes_on == NE_EXPR ? TEAMSAN_COUNTER_DIFFERS : 0) |
               (entered ? TEAMSAN_COUNTER_ENTERED : 0) | (within ? TEAMSAN_COUNTER_WITHIN : 0) |
               (loop.natural ? TEAMSAN_COUNTER_NATURAL : 0) | (turns ? TEAMSAN_COUNTER_TURNS : 0));
  return true;
}

/// Is it known, where the loop is come to, that its first counter is as it must be for a next turn?
bool Addresses::is_entered(Loop const& loop) {
  bool const down = distance_of(loop.counter) < 0, or_same = loop.goes_on == LE_EXPR || loop.goes_on == GE_EXPR;
  tree_code const wanted = down ? GT_EXPR : LT_EXPR, wanted_or_same = down ? GE_EXPR : LE_EXPR;
  edge e = loop.entry;
  for (int depth = 0; depth != 16; ++depth) {
    basic_block const b = e->src;
    gimple_stmt_iterator const last = gsi_last_nondebug_bb(b);
    gcond* const c = gsi_end_p(last) ? nullptr : dyn_cast<gcond*>(gsi_stmt(last));
    if (c != nullptr && EDGE_COUNT(b->succs) == 2 && EDGE_SUCC(b, 0)->dest != EDGE_SUCC(b, 1)->dest) {
      tree const lhs = gimple_cond_lhs(c), rhs = gimple_cond_rhs(c);
      // One without a sign says nothing of what a loop compares as numbers that have one: both may be the same 64 bits.
      bool const natural = loop.natural || TYPE_UNSIGNED(TREE_TYPE(loop.counter.value)) || !TYPE_UNSIGNED(TREE_TYPE(lhs));
      bool const whole = natural && is_number(TREE_TYPE(lhs)) && is_number(TREE_TYPE(rhs));
      tree_code const code = !whole ? ERROR_MARK
                             : e->flags & EDGE_TRUE_VALUE ? gimple_cond_code(c)
                                                          : invert_tree_comparison(gimple_cond_code(c), false);
      for (bool const swapped : {false, true}) {
        if (!whole) break;
        tree const first = swapped ? rhs : lhs, bound = swapped ? lhs : rhs;
        tree_code const is = swapped ? swap_tree_comparison(code) : code;
        bool const of_none = is == NE_EXPR && !down && TYPE_UNSIGNED(TREE_TYPE(bound)) && integer_zerop(first);
        if (is != wanted && !(or_same && is == wanted_or_same) && !of_none) continue;
        if (is_same(first, loop.counter.first) && is_same(bound, loop.bound)) return true;
      }
    }
    if (!m_iterations.is_inside(b)) return false;
    edge only = nullptr, from;
    edge_iterator i;
    FOR_EACH_EDGE(from, i, b->preds) {
      if (!m_iterations.is_live(from)) continue;
      if (only != nullptr) return false;
      only = from;
    }
    if (only == nullptr) return false;
    e = only;
  }
  return false;
}

}  // namespace teamsan_plugin
