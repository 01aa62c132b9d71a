// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// An index outside an array that is a function's own variable, or a member of one: nobody is told of such accesses by the
/// compiler's own pass, since no other lane can see them. Where the index is not known to lie inside, it is compared with the
/// array's length; if it lies outside, the runtime tells so, and of a lane's the access goes to the first element, so that the
/// lane's stack stays whole. An array of arrays is one: what runs from one row into the next stays silent.
///
/// Behind the early inliner, since small functions (Kokkos::Array's operator[]) have the variable as their object, and before
/// any optimiser that takes the length for granted.
#include "Code.hpp"
#include "Marks.hpp"

#include <algorithm>

#include <gimplify.h>
#include <stor-layout.h>

namespace teamsan_plugin {

namespace {

/// References to elements of elements, from the innermost one out, and the array that they begin in.
struct Element {
  gimple* statement;
  std::vector<tree> references;
  tree variable;
  HOST_WIDE_INT elements, bytes;
  bool writes;
  std::vector<std::pair<gimple*, std::vector<tree>>> again = {};  ///< the same element, later in the statement's block

  bool is_same(Element const& other) const {
    if (gimple_bb(statement) != gimple_bb(other.statement) || references.size() != other.references.size()) return false;
    for (std::size_t i = 0; i != references.size(); ++i)
      if (!operand_equal_p(references[i], other.references[i])) return false;
    return true;
  }
};

bool is_own(tree base) {
  return (VAR_P(base) && !is_global_var(base) && !DECL_HARD_REGISTER(base)) || TREE_CODE(base) == PARM_DECL;
}

/// Of an array's type; 0: it is not known when it is compiled.
HOST_WIDE_INT length_of(tree array) {
  tree const domain = TYPE_DOMAIN(array);
  if (domain == NULL_TREE || TYPE_MAX_VALUE(domain) == NULL_TREE || !tree_fits_shwi_p(TYPE_MAX_VALUE(domain))) return 0;
  if (TYPE_MIN_VALUE(domain) != NULL_TREE && !integer_zerop(TYPE_MIN_VALUE(domain))) return 0;
  return tree_to_shwi(TYPE_MAX_VALUE(domain)) + 1;
}

/// Does the reference lie in a variable of the function's own, and as the whole of it? Its base.
tree own_variable(tree reference) {
  if (!handled_component_p(reference)) return NULL_TREE;
  for (; handled_component_p(reference); reference = TREE_OPERAND(reference, 0))
    if (TREE_CODE(reference) == VIEW_CONVERT_EXPR) return NULL_TREE;
  if (TREE_CODE(reference) == MEM_REF && TREE_CODE(TREE_OPERAND(reference, 0)) == ADDR_EXPR &&
      integer_zerop(TREE_OPERAND(reference, 1))) {
    tree const variable = TREE_OPERAND(TREE_OPERAND(reference, 0), 0);
    if (int_size_in_bytes(TREE_TYPE(reference)) != int_size_in_bytes(TREE_TYPE(variable))) return NULL_TREE;
    reference = variable;
  }
  return DECL_P(reference) && is_own(reference) ? reference : NULL_TREE;
}

/// A member of one element, before there were others a way to name what lies behind it; and what has several names in a union.
bool may_be_longer(tree array, HOST_WIDE_INT elements) {
  if (elements == 1 && TREE_CODE(array) == COMPONENT_REF) return true;
  for (; handled_component_p(array); array = TREE_OPERAND(array, 0))
    if (TREE_CODE(array) == COMPONENT_REF && TREE_CODE(TREE_TYPE(TREE_OPERAND(array, 0))) != RECORD_TYPE) return true;
  return false;
}

/// The arrays on the way of a reference, each of which may have an index outside.
void add_elements(std::vector<Element>& to, gimple* s, tree reference, bool writes) {
  tree const variable = own_variable(reference);
  if (variable == NULL_TREE) return;
  while (handled_component_p(reference)) {
    if (TREE_CODE(reference) != ARRAY_REF) {
      reference = TREE_OPERAND(reference, 0);
      continue;
    }
    Element e{s, {}, variable, 1, int_size_in_bytes(TREE_TYPE(reference)), writes};
    for (; TREE_CODE(reference) == ARRAY_REF; reference = TREE_OPERAND(reference, 0)) {
      e.references.push_back(reference);
      e.elements *= length_of(TREE_TYPE(TREE_OPERAND(reference, 0)));
    }
    bool known = true;  // to lie inside, or not to
    for (tree const r : e.references) {
      tree const index = TREE_OPERAND(r, 1);
      if (TREE_CODE(index) == SSA_NAME || !tree_fits_shwi_p(index) || tree_to_shwi(index) < 0 ||
          tree_to_shwi(index) >= length_of(TREE_TYPE(TREE_OPERAND(r, 0))))
        known = false;
    }
    if (!known && e.elements > 0 && e.bytes > 0 && !may_be_longer(reference, e.elements)) to.push_back(e);
  }
}

/// Is `to` run whenever the end of `from` is?
bool always_follows(basic_block to, basic_block from) {
  while (from != to && single_succ_p(from) && single_pred_p(single_succ(from))) from = single_succ(from);
  return from == to;
}

/// What an address that is taken in that block, or a copy of it, is used for in any case: is what lies there read, or written?
/// One right past the end may be taken, and compared with.
bool is_accessed(tree address, basic_block taken, bool& writes, int depth = 0) {
  imm_use_iterator i;
  gimple* s;
  bool read = false;
  std::vector<tree> copies;
  auto const lies_there = [&](tree reference) {
    tree const base = get_base_address(reference);
    return base != NULL_TREE && TREE_CODE(base) == MEM_REF && TREE_OPERAND(base, 0) == address;
  };
  FOR_EACH_IMM_USE_STMT(s, i, address) {
    if (!always_follows(gimple_bb(s), taken)) continue;
    if (gimple_code(s) == GIMPLE_PHI && gimple_phi_num_args(s) == 1) copies.push_back(gimple_phi_result(s));
    if (!gimple_assign_single_p(s) && !gimple_assign_cast_p(s)) continue;
    tree const to = gimple_assign_lhs(s), from = gimple_assign_rhs1(s);
    writes = writes || lies_there(to);
    read = read || lies_there(from);
    if (from == address && TREE_CODE(to) == SSA_NAME) copies.push_back(to);
  }
  for (tree const copy : copies)
    if (depth != 4 && is_accessed(copy, taken, writes, depth + 1)) read = true;
  return read || writes;
}

/// "e", of a member "p.e": as the source has it. Kokkos::Array's own member is not named.
std::string name_of(Element const& e) {
  std::string name;
  for (tree r = TREE_OPERAND(e.references.back(), 0); handled_component_p(r); r = TREE_OPERAND(r, 0)) {
    if (TREE_CODE(r) != COMPONENT_REF || DECL_NAME(TREE_OPERAND(r, 1)) == NULL_TREE) continue;
    char const* const member = IDENTIFIER_POINTER(DECL_NAME(TREE_OPERAND(r, 1)));
    if (std::strncmp(member, "m_internal_", 11) != 0 && std::strncmp(member, "_M_", 3) != 0)
      name = std::string(".") + member + name;
  }
  if (DECL_NAME(e.variable) == NULL_TREE) return name.empty() ? name : name.substr(1);
  return IDENTIFIER_POINTER(DECL_NAME(e.variable)) + name;
}

/// long long __teamsan_own_index(long long index, long long elements, unsigned long long bytes_and_kind, char const* name):
/// 1: the index stays as it is.
tree index_outside() {
  tree const type =
      build_function_type_list(long_long_integer_type_node, long_long_integer_type_node, long_long_integer_type_node,
                               long_long_unsigned_type_node, build_pointer_type(char_type_node), NULL_TREE);
  return leaf_function("__teamsan_own_index", type);
}

class Comparison {
 public:
  explicit Comparison(Element const& e) : m_element(e) {}

  void put_before() {
    m_at = gsi_for_stmt(m_element.statement);
    // The number of the element in all rows.
    tree const number = long_long_integer_type_node;
    tree all = NULL_TREE;
    HOST_WIDE_INT row = 1;
    for (tree const r : m_element.references) {
      tree index = append(NOP_EXPR, fold_convert_if_constant(number, TREE_OPERAND(r, 1)));
      if (row != 1) index = append(MULT_EXPR, index, build_int_cst(number, row));
      all = all == NULL_TREE ? index : append(PLUS_EXPR, all, index);
      row *= length_of(TREE_TYPE(TREE_OPERAND(r, 0)));
    }
    tree const as_unsigned = append(NOP_EXPR, all, NULL_TREE, long_long_unsigned_type_node);
    gimple* const inside = gimple_build_cond(
        LE_EXPR, as_unsigned, build_int_cst(long_long_unsigned_type_node, m_element.elements - 1), NULL_TREE, NULL_TREE);
    put(inside);
    // Behind the comparison the block ends; in a block of its own the runtime is told.
    edge const on = split_block(gsi_bb(m_at), inside);
    basic_block const before = on->src, behind = on->dest, outside = create_empty_bb(before);
    on->flags = EDGE_TRUE_VALUE;
    on->probability = profile_probability::very_likely();
    edge const off = make_edge(before, outside, EDGE_FALSE_VALUE);
    off->probability = profile_probability::very_unlikely();
    outside->count = off->count();
    edge const back = make_single_succ_edge(outside, behind, EDGE_FALLTHRU);
    if (current_loops != nullptr) add_bb_to_loop(outside, before->loop_father);
    std::string const name = name_of(m_element);
    gcall* const call = gimple_build_call(index_outside(), 4, all, build_int_cst(number, m_element.elements),
                                          build_int_cst(long_long_unsigned_type_node, m_element.bytes << 1 | m_element.writes),
                                          build_string_literal(name.size() + 1, name.c_str()));
    tree const stays = make_ssa_name(number);
    gimple_call_set_lhs(call, stays);
    m_at = gsi_start_bb(outside);
    locate(call);
    gsi_insert_after(&m_at, call, GSI_NEW_STMT);
    for (tree const r : m_element.references) {
      tree const index = TREE_OPERAND(r, 1), type = TREE_TYPE(index);
      tree const factor = append_behind(NOP_EXPR, stays, NULL_TREE, type);
      tree const kept = append_behind(MULT_EXPR, index, factor, type);
      tree const now = make_ssa_name(type);
      gphi* const phi = create_phi_node(now, behind);
      add_phi_arg(phi, index, on, UNKNOWN_LOCATION);
      add_phi_arg(phi, kept, back, UNKNOWN_LOCATION);
      m_now.push_back(now);
    }
    put_indices(m_element.statement, m_element.references);
    for (auto const& [statement, references] : m_element.again) put_indices(statement, references);
  }

 private:
  void put_indices(gimple* s, std::vector<tree> const& references) const {
    for (std::size_t i = 0; i != references.size(); ++i) TREE_OPERAND(references[i], 1) = m_now[i];
    if (gimple_assign_single_p(s) && TREE_CODE(gimple_assign_rhs1(s)) == ADDR_EXPR)
      recompute_tree_invariant_for_addr_expr(gimple_assign_rhs1(s));
    update_stmt(s);
  }
  static tree fold_convert_if_constant(tree type, tree value) {
    return TREE_CODE(value) == INTEGER_CST ? fold_convert(type, value) : value;
  }
  void locate(gimple* s) {
    gimple_set_location(s, gimple_location(m_element.statement));
    gimple_set_block(s, gimple_block(m_element.statement));
  }
  void put(gimple* s) {
    locate(s);
    gsi_insert_before(&m_at, s, GSI_SAME_STMT);
  }
  static gassign* assignment(tree value, tree_code code, tree a, tree b) {
    return b != NULL_TREE ? gimple_build_assign(value, code, a, b) : gimple_build_assign(value, code, a);
  }
  tree append(tree_code code, tree a, tree b = NULL_TREE, tree type = long_long_integer_type_node) {
    tree const value = make_ssa_name(type);
    put(assignment(value, TREE_CODE(a) == INTEGER_CST && b == NULL_TREE ? INTEGER_CST : code, a, b));
    return value;
  }
  tree append_behind(tree_code code, tree a, tree b, tree type) {
    tree const value = make_ssa_name(type);
    gassign* const s = assignment(value, code, a, b);
    locate(s);
    gsi_insert_after(&m_at, s, GSI_NEW_STMT);
    return value;
  }

  Element const& m_element;
  gimple_stmt_iterator m_at{};
  std::vector<tree> m_now;  ///< indices, by reference
};

pass_data const data = {GIMPLE_PASS, "teamsan_own_arrays", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

class OwnArrays final : public gimple_opt_pass {
 public:
  explicit OwnArrays(gcc::context* c) : gimple_opt_pass(data, c) {}
  bool gate(function* f) final { return sanitize_flags_p(SANITIZE_THREAD, f->decl) && !has_mark(f->decl, plain_body); }

  unsigned int execute(function* f) final {
    std::vector<Element> elements;
    basic_block b;
    FOR_EACH_BB_FN(b, f)
    for (gimple_stmt_iterator i = gsi_start_bb(b); !gsi_end_p(i); gsi_next(&i)) add_elements_of(elements, gsi_stmt(i));
    if (elements.empty()) return 0;
    for (Element const& e : elements) Comparison(e).put_before();
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
    mark_virtual_operands_for_renaming(f);
    return TODO_update_ssa_only_virtuals | TODO_cleanup_cfg;
  }

 private:
  static void add_elements_of(std::vector<Element>& to, gimple* s) {
    if (gimple_clobber_p(s) || is_gimple_debug(s)) return;
    std::vector<Element> of_statement;
    bool changed = false;
    if (is_gimple_call(s)) {
      for (unsigned n = 0; n != gimple_call_num_args(s); ++n)
        if (tree const value = gimple_call_arg(s, n); own_variable(value) != NULL_TREE) {
          changed = true;
          gimple_call_set_arg(s, n, unshare_expr(value));  // others may have the same tree
          add_elements(of_statement, s, gimple_call_arg(s, n), false);
        }
      if (tree const result = gimple_call_lhs(s); result != NULL_TREE && own_variable(result) != NULL_TREE) {
        changed = true;
        gimple_call_set_lhs(s, unshare_expr(result));
        add_elements(of_statement, s, gimple_call_lhs(s), true);
      }
    } else if (gimple_assign_single_p(s)) {
      tree const to_what = gimple_assign_lhs(s), from = gimple_assign_rhs1(s);
      bool writes = false;
      if (own_variable(to_what) != NULL_TREE) {
        changed = true;
        gimple_assign_set_lhs(s, unshare_expr(to_what));
        add_elements(of_statement, s, gimple_assign_lhs(s), true);
      }
      if (TREE_CODE(from) == ADDR_EXPR && TREE_CODE(to_what) == SSA_NAME && own_variable(TREE_OPERAND(from, 0)) != NULL_TREE &&
          is_accessed(to_what, gimple_bb(s), writes)) {
        changed = true;
        gimple_assign_set_rhs1(s, unshare_expr(from));
        add_elements(of_statement, s, TREE_OPERAND(gimple_assign_rhs1(s), 0), writes);
      } else if (own_variable(from) != NULL_TREE) {
        changed = true;
        gimple_assign_set_rhs1(s, unshare_expr(from));
        add_elements(of_statement, s, gimple_assign_rhs1(s), false);
      }
    }
    if (changed) update_stmt(s);
    for (Element const& e : of_statement) {
      auto const first = std::find_if(to.begin(), to.end(), [&](Element const& other) { return other.is_same(e); });
      if (first == to.end()) {
        to.push_back(e);
      } else {
        first->again.push_back({s, e.references});
        first->writes = first->writes || e.writes;
      }
    }
  }
};

}  // namespace

gimple_opt_pass* make_own_arrays(gcc::context* context) { return new OwnArrays(context); }

}  // namespace teamsan_plugin
