// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Loops.hpp"

namespace teamsan_plugin {

namespace {

bool is_whole_number(tree type) {
  return (INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type)) && TYPE_PRECISION(type) >= 1 && TYPE_PRECISION(type) <= 64;
}

}  // namespace

tree without_widening(tree value, bool* natural) {
  for (int depth = 0; depth != 8 && TREE_CODE(value) == SSA_NAME; ++depth) {
    gassign* const a = dyn_cast<gassign*>(SSA_NAME_DEF_STMT(value));
    if (a == nullptr || !CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(a))) break;
    tree const from = gimple_assign_rhs1(a), to_type = TREE_TYPE(value), from_type = TREE_TYPE(from);
    if (TREE_CODE(from) != SSA_NAME || !is_whole_number(to_type) || !is_whole_number(from_type)) break;
    bool const to_unsigned = TYPE_UNSIGNED(to_type), from_unsigned = TYPE_UNSIGNED(from_type);
    unsigned const to = TYPE_PRECISION(to_type), of = TYPE_PRECISION(from_type);
    bool const keeps = to > of ? from_unsigned || !to_unsigned : to == of && from_unsigned == to_unsigned;
    bool const keeps_natural = natural != nullptr && to >= of && to_unsigned && !from_unsigned;
    if (!keeps && !keeps_natural) break;
    if (!keeps) *natural = true;
    value = from;
  }
  return value;
}

char const* Loops::find(function* f) {
  basic_block b;
  edge e;
  edge_iterator i;
  mark_dfs_back_edges();
  FOR_EACH_BB_FN(b, f)
  FOR_EACH_EDGE(e, i, b->succs) {
    if (!m_iterations.is_live(b) || !m_iterations.is_live(e) || !(e->flags & EDGE_DFS_BACK)) continue;
    if (!m_iterations.is_inside(e->dest)) continue;
    if (!dominated_by_p(CDI_DOMINATORS, b, e->dest)) return "a loop has several beginnings";
    if (with_header(e->dest) != nullptr) return "a loop goes on from several places";
    Loop loop;
    loop.header = e->dest;
    loop.back = e;
    m_all.push_back(loop);
  }
  for (Loop& loop : m_all) {
    FOR_EACH_EDGE(e, i, loop.header->preds) {
      if (!m_iterations.is_live(e) || e == loop.back) continue;
      if (loop.entry != nullptr) return "a loop is come to from several places";
      loop.entry = e;
    }
    if (loop.entry == nullptr) return "a loop is never come to";
    std::vector<basic_block> todo{loop.back->src};
    loop.blocks = {loop.header, loop.back->src};
    while (!todo.empty()) {
      basic_block const at = todo.back();
      todo.pop_back();
      if (at == loop.header) continue;
      FOR_EACH_EDGE(e, i, at->preds)
      if (m_iterations.is_live(e) && loop.blocks.insert(e->src).second) todo.push_back(e->src);
    }
    if (!count(loop) && !is_update(f, loop, loop.update)) return "the turns of a loop are not counted";
  }
  return nullptr;
}

Loop const* Loops::with_header(basic_block b) const {
  for (Loop const& loop : m_all)
    if (loop.header == b) return &loop;
  return nullptr;
}

Loop const* Loops::of_exchange(gimple const* s) const {
  for (Loop const& loop : m_all)
    if (loop.update.exchange == s) return &loop;
  return nullptr;
}
bool Loops::is_first_read(gimple const* s) const {
  for (Loop const& loop : m_all)
    if (loop.update.exchange != nullptr && loop.update.first_read == s) return true;
  return false;
}

bool Loops::recurrence_of(Loop const& loop, gphi* phi, Recurrence& r) {
  if (gimple_bb(phi) != loop.header || !is_whole_number(TREE_TYPE(gimple_phi_result(phi)))) return false;
  r.value = gimple_phi_result(phi);
  r.first = gimple_phi_arg_def(phi, loop.entry->dest_idx);
  r.next = gimple_phi_arg_def(phi, loop.back->dest_idx);
  if (TREE_CODE(r.next) != SSA_NAME) return false;
  gassign* const a = dyn_cast<gassign*>(SSA_NAME_DEF_STMT(r.next));
  if (a == nullptr) return false;
  tree_code const code = gimple_assign_rhs_code(a);
  if (code != PLUS_EXPR && code != POINTER_PLUS_EXPR && code != MINUS_EXPR) return false;
  tree const one = gimple_assign_rhs1(a), other = gimple_assign_rhs2(a);
  if (one == r.value)
    r.step = other;
  else if (code == PLUS_EXPR && other == r.value)
    r.step = one;
  else
    return false;
  r.subtracts = code == MINUS_EXPR;
  if (TREE_CODE(r.step) == INTEGER_CST) return true;
  if (TREE_CODE(r.step) != SSA_NAME) return false;
  basic_block const b = gimple_bb(SSA_NAME_DEF_STMT(r.step));
  return b == nullptr || loop.blocks.count(b) == 0;
}

bool Loops::is_within(Loop const& loop, basic_block b) {
  return !loop.of_next && single_pred_p(loop.stay->dest) && dominated_by_p(CDI_DOMINATORS, b, loop.stay->dest);
}

/// By a way out that every turn comes to.
bool Loops::count(Loop& loop) const {
  for (basic_block const b : loop.blocks) {
    gimple_stmt_iterator const last = gsi_last_nondebug_bb(b);
    gcond* const c = gsi_end_p(last) ? nullptr : dyn_cast<gcond*>(gsi_stmt(last));
    if (c == nullptr || EDGE_COUNT(b->succs) != 2 || !dominated_by_p(CDI_DOMINATORS, loop.back->src, b)) continue;
    edge const a = EDGE_SUCC(b, 0), z = EDGE_SUCC(b, 1);
    bool const a_stays = loop.blocks.count(a->dest) != 0, z_stays = loop.blocks.count(z->dest) != 0;
    if (a_stays == z_stays || !m_iterations.is_live(a) || !m_iterations.is_live(z)) continue;
    edge const stay = a_stays ? a : z;
    tree const lhs = gimple_cond_lhs(c), rhs = gimple_cond_rhs(c);
    if (!is_whole_number(TREE_TYPE(lhs)) || !is_whole_number(TREE_TYPE(rhs))) continue;
    tree_code code = gimple_cond_code(c);
    if (!(stay->flags & EDGE_TRUE_VALUE)) code = invert_tree_comparison(code, false);
    for (bool const swapped : {false, true}) {
      bool natural = false;
      tree const counted = without_widening(swapped ? rhs : lhs, &natural), bound = swapped ? lhs : rhs;
      tree_code const goes_on = swapped ? swap_tree_comparison(code) : code;
      if (TREE_CODE(counted) != SSA_NAME) continue;
      if (goes_on != LT_EXPR && goes_on != LE_EXPR && goes_on != GT_EXPR && goes_on != GE_EXPR && goes_on != NE_EXPR) continue;
      for (gphi_iterator at = gsi_start_phis(loop.header); !gsi_end_p(at); gsi_next(&at)) {
        Recurrence r;
        if (!recurrence_of(loop, at.phi(), r) || (counted != r.value && counted != r.next)) continue;
        if (TREE_CODE(r.step) != INTEGER_CST || integer_zerop(r.step)) continue;
        loop.counter = r;
        loop.stay = stay;
        loop.bound = bound;
        loop.goes_on = goes_on;
        loop.of_next = counted == r.next;
        loop.natural = natural;
        return true;
      }
    }
  }
  return false;
}

}  // namespace teamsan_plugin
