// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Updates.hpp"

#include "Loops.hpp"

#include <builtins.h>

namespace teamsan_plugin {

namespace {

/// The same bits under another type.
tree without_conversions(tree value) {
  for (int depth = 0; depth != 8 && TREE_CODE(value) == SSA_NAME; ++depth) {
    gassign* const a = dyn_cast<gassign*>(SSA_NAME_DEF_STMT(value));
    if (a == nullptr) break;
    tree from = gimple_assign_rhs1(a);
    tree_code const code = gimple_assign_rhs_code(a);
    if (code == VIEW_CONVERT_EXPR)
      from = TREE_OPERAND(from, 0);
    else if (!CONVERT_EXPR_CODE_P(code) && code != SSA_NAME)
      break;
    bool const whole = TREE_CODE(from) == SSA_NAME && tree_fits_uhwi_p(TYPE_SIZE(TREE_TYPE(from))) &&
                       tree_int_cst_equal(TYPE_SIZE(TREE_TYPE(from)), TYPE_SIZE(TREE_TYPE(value)));
    if (!whole || (CONVERT_EXPR_CODE_P(code) && !INTEGRAL_TYPE_P(TREE_TYPE(from)))) break;
    value = from;
  }
  return value;
}

/// One that takes the place of what is expected, in a variable, by what is to be there; both are relaxed.
int bytes_of_exchange(gimple* s) {
  if (!gimple_call_builtin_p(s, BUILT_IN_NORMAL) || gimple_call_num_args(s) != 6) return 0;
  int const code = DECL_FUNCTION_CODE(gimple_call_fndecl(s));
  int const bytes = code == BUILT_IN_ATOMIC_COMPARE_EXCHANGE_4 ? 4 : code == BUILT_IN_ATOMIC_COMPARE_EXCHANGE_8 ? 8 : 0;
  return integer_zerop(gimple_call_arg(s, 4)) && integer_zerop(gimple_call_arg(s, 5)) ? bytes : 0;
}

tree is_this(tree* at, int*, void* decl) { return *at == static_cast<tree>(decl) ? *at : NULL_TREE; }

bool names(gimple* s, tree decl) {
  for (unsigned i = 0; i != gimple_num_ops(s); ++i)
    if (gimple_op(s, i) != NULL_TREE && walk_tree(gimple_op_ptr(s, i), is_this, decl, nullptr) != NULL_TREE) return true;
  if (gphi* const phi = dyn_cast<gphi*>(s))
    for (unsigned i = 0; i != gimple_phi_num_args(phi); ++i)
      if (walk_tree(gimple_phi_arg_def_ptr(phi, i), is_this, decl, nullptr) != NULL_TREE) return true;
  return false;
}

/// The statements of one loop, by what they do.
class Exchanges {
 public:
  explicit Exchanges(Loop const& loop) : m_loop(loop) {}

  bool find(function* f, UpdateLoop& update) {
    for (basic_block const b : m_loop.blocks) {
      for (gphi_iterator i = gsi_start_phis(b); !gsi_end_p(i); gsi_next(&i))
        if (!virtual_operand_p(gimple_phi_result(i.phi())) && is_used_behind(gimple_phi_result(i.phi()))) return false;
      for (gimple_stmt_iterator i = gsi_start_bb(b); !gsi_end_p(i); gsi_next(&i))
        if (!look_at(gsi_stmt(i))) return false;
    }
    if (m_exchange == nullptr || m_expects == nullptr || m_found == nullptr || !in_order()) return false;
    update.exchange = m_exchange;
    update.bytes = bytes_of_exchange(m_exchange);
    return begins_with_a_read(update) && ends_when_exchanged() && !is_named_outside(f) && gives_nothing_back(m_exchange) &&
           gives_nothing_back(update.first_read);
  }

 private:
  bool look_at(gimple* s) {
    if (is_gimple_debug(s) || gimple_clobber_p(s)) return true;
    switch (gimple_code(s)) {
      case GIMPLE_LABEL:
      case GIMPLE_NOP:
      case GIMPLE_PREDICT:
      case GIMPLE_COND:
        return true;
      case GIMPLE_CALL:
        if (m_exchange != nullptr || bytes_of_exchange(s) == 0) return false;
        m_exchange = s;
        return gimple_call_lhs(s) == NULL_TREE || is_value(gimple_call_lhs(s));
      case GIMPLE_ASSIGN:
        break;
      default:
        return false;
    }
    if (gimple_has_volatile_ops(s)) return false;
    if (gimple_vuse(s) == NULL_TREE) return is_value(gimple_assign_lhs(s));
    if (!gimple_assign_single_p(s)) return false;
    gimple*& is = gimple_vdef(s) != NULL_TREE ? m_expects : m_found;
    tree const place = gimple_vdef(s) != NULL_TREE ? gimple_assign_lhs(s) : gimple_assign_rhs1(s);
    if (is != nullptr || !VAR_P(place) || is_global_var(place) || !INTEGRAL_TYPE_P(TREE_TYPE(place))) return false;
    if (m_variable != NULL_TREE && m_variable != place) return false;
    m_variable = place;
    is = s;
    return is == m_expects || is_value(gimple_assign_lhs(s));
  }
  bool is_value(tree name) const { return TREE_CODE(name) == SSA_NAME && !is_used_behind(name); }
  bool is_used_behind(tree name) const {
    imm_use_iterator i;
    use_operand_p use;
    FOR_EACH_IMM_USE_FAST(use, i, name)
    if (!is_gimple_debug(USE_STMT(use)) && m_loop.blocks.count(gimple_bb(USE_STMT(use))) == 0) return true;
    return false;
  }

  /// In one block: what is expected, the exchange by its variable, what was found.
  bool in_order() const {
    tree const expected = gimple_call_arg(m_exchange, 1);
    if (TREE_CODE(expected) != ADDR_EXPR || TREE_OPERAND(expected, 0) != m_variable) return false;
    if (!tree_int_cst_equal(TYPE_SIZE_UNIT(TREE_TYPE(m_variable)), size_int(bytes_of_exchange(m_exchange)))) return false;
    basic_block const b = gimple_bb(m_exchange);
    if (gimple_bb(m_expects) != b || gimple_bb(m_found) != b) return false;
    int next = 0;
    for (gimple_stmt_iterator i = gsi_start_bb(b); !gsi_end_p(i); gsi_next(&i)) {
      gimple* const s = gsi_stmt(i);
      if (gimple_clobber_p(s) && next != 0 && next != 3) return false;
      if (s == m_expects || s == m_exchange || s == m_found) {
        if (s != (next == 0 ? m_expects : next == 1 ? m_exchange : m_found)) return false;
        ++next;
      }
    }
    return next == 3;
  }

  bool begins_with_a_read(UpdateLoop& update) {
    m_old = without_conversions(gimple_assign_rhs1(m_expects));
    gphi* const phi = TREE_CODE(m_old) == SSA_NAME ? dyn_cast<gphi*>(SSA_NAME_DEF_STMT(m_old)) : nullptr;
    if (phi == nullptr || gimple_bb(phi) != m_loop.header || gimple_phi_num_args(phi) != 2) return false;
    if (without_conversions(gimple_phi_arg_def(phi, m_loop.back->dest_idx)) != gimple_assign_lhs(m_found)) return false;
    tree const first = without_conversions(gimple_phi_arg_def(phi, m_loop.entry->dest_idx));
    gimple* const s = TREE_CODE(first) == SSA_NAME ? SSA_NAME_DEF_STMT(first) : nullptr;
    if (s == nullptr || !gimple_assign_single_p(s) || gimple_vuse(s) == NULL_TREE || gimple_has_volatile_ops(s)) return false;
    if (!INTEGRAL_TYPE_P(TREE_TYPE(first)) || TREE_CODE(gimple_assign_rhs1(s)) == SSA_NAME) return false;
    // Nobody else looks at it.
    for (tree value = gimple_phi_arg_def(phi, m_loop.entry->dest_idx);; value = first) {
      imm_use_iterator i;
      use_operand_p use;
      int uses = 0;
      FOR_EACH_IMM_USE_FAST(use, i, value) uses += !is_gimple_debug(USE_STMT(use));
      if (uses > 1 && !only_compared(value, phi)) return false;
      if (value == first) break;
    }
    update.first_read = s;
    return true;
  }
  /// Besides its use there: by conditions alone, of the same atomic's, whether there is anything to do.
  bool only_compared(tree value, gphi* phi) const {
    imm_use_iterator i;
    use_operand_p use;
    FOR_EACH_IMM_USE_FAST(use, i, value) {
      gimple* const s = USE_STMT(use);
      if (s != phi && !is_gimple_debug(s) && gimple_code(s) != GIMPLE_COND && !is_conversion(s)) return false;
      if (gimple_code(s) == GIMPLE_COND && !gives_nothing_back(s)) return false;
    }
    return true;
  }
  static bool is_conversion(gimple* s) {
    gassign* const a = dyn_cast<gassign*>(s);
    if (a == nullptr || gimple_vdef(a) != NULL_TREE) return false;
    tree_code const code = gimple_assign_rhs_code(a);
    if (code != VIEW_CONVERT_EXPR && !CONVERT_EXPR_CODE_P(code)) return false;
    imm_use_iterator i;
    use_operand_p use;
    FOR_EACH_IMM_USE_FAST(use, i, gimple_assign_lhs(a)) {
      gimple* const of = USE_STMT(use);
      bool const compares = gimple_code(of) == GIMPLE_COND && gives_nothing_back(of);
      if (!is_gimple_debug(of) && !compares && gimple_code(of) != GIMPLE_PHI) return false;
    }
    return true;
  }

  bool ends_when_exchanged() const {
    for (basic_block const b : m_loop.blocks) {
      gimple_stmt_iterator const last = gsi_last_nondebug_bb(b);
      gcond* const c = gsi_end_p(last) ? nullptr : dyn_cast<gcond*>(gsi_stmt(last));
      if (c == nullptr || EDGE_COUNT(b->succs) != 2 || !dominated_by_p(CDI_DOMINATORS, m_loop.back->src, b)) continue;
      tree const one = without_conversions(gimple_cond_lhs(c)), other = without_conversions(gimple_cond_rhs(c));
      tree const found = gimple_assign_lhs(m_found);
      if (!(one == found && other == m_old) && !(one == m_old && other == found)) continue;
      if (!INTEGRAL_TYPE_P(TREE_TYPE(gimple_cond_lhs(c)))) continue;
      edge stays, ends;
      extract_true_false_edges_from_block(b, &stays, &ends);
      if (gimple_cond_code(c) == EQ_EXPR) std::swap(stays, ends);
      else if (gimple_cond_code(c) != NE_EXPR) continue;
      if (m_loop.blocks.count(stays->dest) != 0 && m_loop.blocks.count(ends->dest) == 0) return true;
    }
    return false;
  }

  bool is_named_outside(function* f) const {
    basic_block b;
    FOR_EACH_BB_FN(b, f) {
      if (m_loop.blocks.count(b) != 0) continue;
      for (gphi_iterator i = gsi_start_phis(b); !gsi_end_p(i); gsi_next(&i))
        if (names(i.phi(), m_variable)) return true;
      for (gimple_stmt_iterator i = gsi_start_bb(b); !gsi_end_p(i); gsi_next(&i))
        if (!is_gimple_debug(gsi_stmt(i)) && !gimple_clobber_p(gsi_stmt(i)) && names(gsi_stmt(i), m_variable)) return true;
    }
    return false;
  }

  Loop const& m_loop;
  gimple *m_exchange = nullptr, *m_expects = nullptr, *m_found = nullptr;
  tree m_variable = NULL_TREE;  ///< holds what is expected, and then what was found
  tree m_old = NULL_TREE;
};

}  // namespace

bool is_of_kokkos(tree function) {
  tree space = DECL_CONTEXT(function);
  while (space != NULL_TREE && TREE_CODE(space) == NAMESPACE_DECL && DECL_CONTEXT(space) != NULL_TREE &&
         TREE_CODE(DECL_CONTEXT(space)) == NAMESPACE_DECL)
    space = DECL_CONTEXT(space);
  if (space == NULL_TREE || TREE_CODE(space) != NAMESPACE_DECL || DECL_NAME(space) == NULL_TREE) return false;
  char const* const name = IDENTIFIER_POINTER(DECL_NAME(space));
  return std::strcmp(name, "Kokkos") == 0 || std::strcmp(name, "desul") == 0;
}

bool gives_nothing_back(gimple* s) {
  char const* outermost = nullptr;
  for (tree block = gimple_block(s); block != NULL_TREE && TREE_CODE(block) == BLOCK; block = BLOCK_SUPERCONTEXT(block)) {
    tree const of = block_ultimate_origin(block);
    if (of == NULL_TREE || TREE_CODE(of) != FUNCTION_DECL || DECL_NAME(of) == NULL_TREE) continue;
    if (!is_of_kokkos(of)) continue;
    if (std::strncmp(IDENTIFIER_POINTER(DECL_NAME(of)), "atomic_", 7) == 0) outermost = IDENTIFIER_POINTER(DECL_NAME(of));
  }
  if (outermost == nullptr) return false;
  for (char const* const part : {"fetch", "exchange", "load", "store", "compare"})
    if (std::strstr(outermost, part) != nullptr) return false;
  return true;
}

int bytes_of_update(gimple* s) {
  if (!gimple_call_builtin_p(s, BUILT_IN_NORMAL) || gimple_call_num_args(s) != 3) return 0;
  int const code = DECL_FUNCTION_CODE(gimple_call_fndecl(s));
  int bytes = 0;
  for (int const first : {BUILT_IN_ATOMIC_FETCH_ADD_1, BUILT_IN_ATOMIC_FETCH_SUB_1, BUILT_IN_ATOMIC_FETCH_AND_1,
                          BUILT_IN_ATOMIC_FETCH_OR_1, BUILT_IN_ATOMIC_FETCH_XOR_1, BUILT_IN_ATOMIC_ADD_FETCH_1,
                          BUILT_IN_ATOMIC_SUB_FETCH_1, BUILT_IN_ATOMIC_AND_FETCH_1, BUILT_IN_ATOMIC_OR_FETCH_1,
                          BUILT_IN_ATOMIC_XOR_FETCH_1})
    if (code >= first && code < first + 5) bytes = 1 << (code - first);
  if (bytes != 4 && bytes != 8) return 0;
  tree const order = gimple_call_arg(s, 2), lhs = gimple_call_lhs(s);
  bool const unused = lhs == NULL_TREE || (TREE_CODE(lhs) == SSA_NAME && has_zero_uses(lhs));
  return integer_zerop(order) && unused ? bytes : 0;
}

bool is_update(function* f, Loop const& loop, UpdateLoop& update) { return Exchanges(loop).find(f, update); }

}  // namespace teamsan_plugin
