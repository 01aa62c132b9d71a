// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Conditions.hpp"

#include <algorithm>

namespace teamsan_plugin {

namespace {

gassign* assignment_of(tree value) {
  return TREE_CODE(value) == SSA_NAME ? dyn_cast<gassign*>(SSA_NAME_DEF_STMT(value)) : nullptr;
}

bool is_truth(tree type) { return TREE_CODE(type) == BOOLEAN_TYPE || (INTEGRAL_TYPE_P(type) && TYPE_PRECISION(type) == 1); }

}  // namespace

std::vector<Condition> const& Conditions::at(basic_block b, bool of_all) {
  m_all = of_all;
  auto const [known, fresh] = m_known.emplace(b, std::vector<Condition>());
  std::vector<Condition>& all = known->second;
  if (!fresh) return all;
  for (basic_block at = b; at != m_iterations.begin() && m_iterations.is_inside(at);) {
    basic_block const from = get_immediate_dominator(CDI_DOMINATORS, at);
    if (from == nullptr || all.size() > most_conditions) break;
    gimple_stmt_iterator const last = gsi_last_nondebug_bb(from);
    gcond* const c = gsi_end_p(last) ? nullptr : dyn_cast<gcond*>(gsi_stmt(last));
    if (c != nullptr && EDGE_COUNT(from->succs) == 2 && EDGE_SUCC(from, 0)->dest != EDGE_SUCC(from, 1)->dest) {
      edge e;
      edge_iterator i;
      FOR_EACH_EDGE(e, i, from->succs) {
        if (!dominated_by_p(CDI_DOMINATORS, b, e->dest) || !comes_by(e)) continue;
        bool const holds = e->flags & EDGE_TRUE_VALUE;
        tree const lhs = gimple_cond_lhs(c), rhs = gimple_cond_rhs(c);
        if (INTEGRAL_TYPE_P(TREE_TYPE(lhs)))
          add(holds ? gimple_cond_code(c) : invert_tree_comparison(gimple_cond_code(c), false), lhs, rhs, from, 0, all);
      }
    }
    at = from;
  }
  if (all.size() > most_conditions) all.resize(most_conditions);
  std::reverse(all.begin(), all.end());  // the outermost first
  return all;
}

/// Is its end come to by no other way?
bool Conditions::comes_by(edge e) const {
  edge other;
  edge_iterator i;
  FOR_EACH_EDGE(other, i, e->dest->preds)
  if (other != e && m_iterations.is_live(other)) return false;
  return true;
}

void Conditions::add_truth(tree value, bool is, basic_block at, int depth, std::vector<Condition>& to) {
  gassign* const a = depth < 8 ? assignment_of(value) : nullptr;
  if (a == nullptr || !is_truth(TREE_TYPE(value))) return;
  tree_code const code = gimple_assign_rhs_code(a);
  tree const one = gimple_assign_rhs1(a), other = gimple_num_ops(a) > 2 ? gimple_assign_rhs2(a) : NULL_TREE;
  if (TREE_CODE_CLASS(code) == tcc_comparison) {
    if (INTEGRAL_TYPE_P(TREE_TYPE(one))) add(is ? code : invert_tree_comparison(code, false), one, other, at, depth + 1, to);
  } else if ((code == BIT_AND_EXPR && is) || (code == BIT_IOR_EXPR && !is)) {
    for (tree const each : {one, other}) add_truth(each, is, at, depth + 1, to);
  } else if (code == BIT_NOT_EXPR || (code == BIT_XOR_EXPR && integer_onep(other))) {
    add_truth(one, !is, at, depth + 1, to);
  } else if (CONVERT_EXPR_CODE_P(code) || code == SSA_NAME) {
    add_truth(one, is, at, depth + 1, to);
  }
}

void Conditions::add(tree_code code, tree a, tree b, basic_block at, int depth, std::vector<Condition>& to) {
  if (code != LT_EXPR && code != LE_EXPR && code != GT_EXPR && code != GE_EXPR && code != EQ_EXPR && code != NE_EXPR) return;
  if (is_truth(TREE_TYPE(a))) {
    if (code == EQ_EXPR || code == NE_EXPR)
      if (integer_zerop(b) || integer_onep(b)) add_truth(a, (code == NE_EXPR) == bool(integer_zerop(b)), at, depth, to);
    return;
  }
  if (add_quotient(code, a, b, at, to) || add_quotient(swap_tree_comparison(code), b, a, at, to)) return;
  bool const swapped = code == GT_EXPR || code == GE_EXPR;
  if (swapped) std::swap(a, b), code = swap_tree_comparison(code);
  if (TYPE_UNSIGNED(TREE_TYPE(a)) && (code == LT_EXPR || code == LE_EXPR) && add_within(a, b, code == LT_EXPR, at, to)) return;
  unsigned const natural = TYPE_UNSIGNED(TREE_TYPE(a)) ? teamsan_condition_natural : 0;
  add(code == LT_EXPR   ? teamsan_condition_below | natural
      : code == LE_EXPR ? teamsan_condition_up_to | natural
      : code == EQ_EXPR ? teamsan_condition_same
                        : teamsan_condition_differs,
      {a, b}, at, to);
}

/// What has a sign and is compared without one: 0 <= a, too.
bool Conditions::add_within(tree a, tree b, bool below, basic_block at, std::vector<Condition>& to) {
  unsigned const bits = TYPE_PRECISION(TREE_TYPE(a));
  if (bits != 32 && bits != 64) return false;
  gassign* s = assignment_of(a);
  HOST_WIDE_INT more = 0;
  if (s != nullptr && gimple_assign_rhs_code(s) == PLUS_EXPR && TREE_CODE(gimple_assign_rhs2(s)) == INTEGER_CST) {
    more = sext_hwi(static_cast<HOST_WIDE_INT>(TREE_INT_CST_LOW(gimple_assign_rhs2(s))), bits);
    s = assignment_of(gimple_assign_rhs1(s));
  }
  if (s == nullptr || !CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(s))) return false;
  tree const of = gimple_assign_rhs1(s);
  if (!INTEGRAL_TYPE_P(TREE_TYPE(of)) || TYPE_UNSIGNED(TREE_TYPE(of)) || TYPE_PRECISION(TREE_TYPE(of)) > bits) return false;
  Condition c;
  c.head = condition(teamsan_condition_within | (bits == 32 ? teamsan_condition_natural : 0));
  if (!m_addresses.put(of, at, c.words)) return false;
  put_with(teamsan_affine_add, more, c.words);
  if (!m_addresses.put(b, at, c.words)) return false;
  if (below) put_with(teamsan_affine_subtract, 1, c.words);
  if (c.words.size() <= most_condition_words) to.push_back(c);
  return true;
}

/// Of a row, say, of which the iteration's index is a / q: rows that are left out are indices that are.
bool Conditions::add_quotient(tree_code code, tree a, tree b, basic_block at, std::vector<Condition>& to) {
  a = without_widening(a);
  gassign* const s = assignment_of(a);
  if (s == nullptr || gimple_assign_rhs_code(s) != TRUNC_DIV_EXPR) return false;
  bool const from = code == GE_EXPR || code == GT_EXPR;
  if (!from && code != LT_EXPR && code != LE_EXPR) return false;
  Condition c;
  c.head = condition(from ? teamsan_condition_quotient_from : teamsan_condition_quotient_below);
  for (tree const each : {gimple_assign_rhs1(s), gimple_assign_rhs2(s), b})
    if (!m_addresses.put(each, at, c.words)) return false;
  if (code == GT_EXPR || code == LE_EXPR) put_with(teamsan_affine_add, 1, c.words);
  if (c.words.size() <= most_condition_words && hangs_on_index(c.words)) to.push_back(c);
  return true;
}

void Conditions::add(unsigned kind, std::vector<tree> const& values, basic_block at, std::vector<Condition>& to) {
  Condition c;
  c.head = condition(kind);
  for (tree const each : values)
    if (!m_addresses.put(each, at, c.words)) return;
  if (c.words.size() <= most_condition_words && (m_all || hangs_on_index(c.words))) to.push_back(c);
}

}  // namespace teamsan_plugin
