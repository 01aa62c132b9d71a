// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is put in line: statements, and the running thread's state that they look at.
#pragma once

#include "Gcc.hpp"

namespace teamsan_plugin {

inline tree word() { return long_long_unsigned_type_node; }
inline tree number(unsigned HOST_WIDE_INT n) { return build_int_cst(word(), n); }

/// The running thread's state: the variable that headers declare, if they do, or the optimiser would take the two for
/// different ones.
tree state();

/// Declares a function of the runtime's, which throws nothing and calls nothing of the program's.
tree leaf_function(char const* name, tree type);

/// Statements at the end of a block.
class Code {
 public:
  Code(basic_block b, gimple* like) : m_block(b), m_like(like) {}

  tree assign(tree type, tree_code code, tree a, tree b = NULL_TREE) {
    tree const value = make_ssa_name(type);
    append(b != NULL_TREE ? gimple_build_assign(value, code, a, b) : gimple_build_assign(value, code, a));
    return value;
  }
  tree binary(tree_code code, tree a, unsigned HOST_WIDE_INT n) { return assign(word(), code, a, number(n)); }
  tree shifted(tree_code code, tree a, int by) { return assign(word(), code, a, build_int_cst(integer_type_node, by)); }
  tree convert(tree type, tree value) { return assign(type, NOP_EXPR, value); }
  /// Of memory at a pointer.
  tree load(tree type, tree pointer, int offset) { return assign(type, MEM_REF, at(type, pointer, offset)); }
  tree state_word(int offset, tree type = word()) { return load(type, build_fold_addr_expr(state()), offset); }
  /// As if it might be another each time, though nothing changed it.
  tree state_anew(int offset, tree type) {
    tree const from = at(type, build_fold_addr_expr(state()), offset), value = make_ssa_name(type);
    TREE_THIS_VOLATILE(from) = TREE_SIDE_EFFECTS(from) = 1;
    gimple* const s = gimple_build_assign(value, from);
    gimple_set_has_volatile_ops(s, true);
    append(s);
    return value;
  }
  void store(tree pointer, int offset, tree value) {
    append(gimple_build_assign(at(TREE_TYPE(value), pointer, offset), value));
  }
  void append(gimple* s) {
    gimple_set_location(s, gimple_location(m_like));
    gimple_set_block(s, gimple_block(m_like));
    gimple_stmt_iterator end = gsi_last_bb(m_block);
    gsi_insert_after(&end, s, GSI_NEW_STMT);
  }
  /// Goes to `yes` if so, else to `no`.
  void branch(tree_code code, tree a, tree b, basic_block yes, basic_block no, bool likely) {
    append(gimple_build_cond(code, a, b, NULL_TREE, NULL_TREE));
    edge const t = make_edge(m_block, yes, EDGE_TRUE_VALUE), f = make_edge(m_block, no, EDGE_FALSE_VALUE);
    t->probability = likely ? profile_probability::very_likely() : profile_probability::even();
    f->probability = t->probability.invert();
  }
  void go(basic_block to) { make_single_succ_edge(m_block, to, EDGE_FALLTHRU); }

 private:
  /// Aliases anything.
  static tree at(tree type, tree pointer, int offset) {
    return build2(MEM_REF, type, pointer, build_int_cst(build_pointer_type_for_mode(type, ptr_mode, true), offset));
  }

  basic_block m_block;
  gimple* m_like;
};

}  // namespace teamsan_plugin
