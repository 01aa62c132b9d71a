// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A read of a variable of the function's own when its life is over: of a temporary behind its statement, by a reference that a
/// function gave back to a part of it, say. The runtime is told before such a read.
///
/// Told is what cannot be otherwise: on every way to the read the variable ended last, and nothing has begun it anew. Variables
/// whose address goes where this does not follow it (into memory, into one of several pointers) are left alone. What a function
/// gives back is followed if its body is here and always returns a part of what one parameter refers to.
#include "Code.hpp"
#include "Marks.hpp"

#include <gimplify.h>

#include <algorithm>

namespace teamsan_plugin {

namespace {

bool is_own(tree base) { return VAR_P(base) && !is_global_var(base) && !DECL_HARD_REGISTER(base); }

/// The pointer that `address` is a constant distance from: &variable, or a name's that nothing more is known of.
tree origin_of(tree address, int depth = 0);

/// What a reference begins in: a declaration, or the pointer of a MEM_REF.
tree base_of(tree reference) {
  while (handled_component_p(reference)) reference = TREE_OPERAND(reference, 0);
  return TREE_CODE(reference) == MEM_REF ? TREE_OPERAND(reference, 0) : reference;
}

/// By number, the parameter that refers to what each return of the function refers to a part of; -1: it is not so.
int parameter_returned(tree callee) {
  cgraph_node* const node = callee != NULL_TREE ? cgraph_node::get(callee) : nullptr;
  cgraph_node* const body = node != nullptr ? node->ultimate_alias_target() : nullptr;
  if (body == nullptr || !body->definition || body->thunk || body->get_availability() <= AVAIL_INTERPOSABLE) return -1;
  function* const f = DECL_STRUCT_FUNCTION(body->decl);
  if (f == nullptr || f->cfg == nullptr || !gimple_in_ssa_p(f) || !POINTER_TYPE_P(TREE_TYPE(TREE_TYPE(body->decl)))) return -1;
  tree parameter = NULL_TREE;
  edge e;
  edge_iterator i;
  FOR_EACH_EDGE(e, i, EXIT_BLOCK_PTR_FOR_FN(f)->preds) {
    gimple_stmt_iterator const last = gsi_last_bb(e->src);
    gimple* const s = gsi_end_p(last) ? nullptr : gsi_stmt(last);
    if (s == nullptr || gimple_code(s) != GIMPLE_RETURN || gimple_return_retval(as_a<greturn*>(s)) == NULL_TREE) return -1;
    tree const from = origin_of(gimple_return_retval(as_a<greturn*>(s)), 4);
    if (TREE_CODE(from) != SSA_NAME || !SSA_NAME_IS_DEFAULT_DEF(from) || SSA_NAME_VAR(from) == NULL_TREE) return -1;
    tree const of = SSA_NAME_VAR(from);
    if (TREE_CODE(of) != PARM_DECL || (parameter != NULL_TREE && parameter != of)) return -1;
    parameter = of;
  }
  int number = 0;
  for (tree p = DECL_ARGUMENTS(body->decl); p != NULL_TREE; p = DECL_CHAIN(p), ++number)
    if (p == parameter) return number;
  return -1;
}

tree origin_of(tree address, int depth) {
  constexpr int most = 24;
  if (TREE_CODE(address) == ADDR_EXPR) {
    tree const base = base_of(TREE_OPERAND(address, 0));
    return TREE_CODE(base) == SSA_NAME || TREE_CODE(base) == ADDR_EXPR ? origin_of(base, depth + 1) : address;
  }
  if (TREE_CODE(address) != SSA_NAME || depth > most || SSA_NAME_IS_DEFAULT_DEF(address)) return address;
  gimple* const s = SSA_NAME_DEF_STMT(address);
  if (gimple_code(s) == GIMPLE_PHI)
    return gimple_phi_num_args(s) == 1 ? origin_of(gimple_phi_arg_def(s, 0), depth + 1) : address;
  if (is_gimple_call(s)) {
    int const number = gimple_call_internal_p(s) ? -1 : parameter_returned(gimple_call_fndecl(s));
    return number >= 0 && static_cast<unsigned>(number) < gimple_call_num_args(s)
               ? origin_of(gimple_call_arg(s, static_cast<unsigned>(number)), depth + 8)
               : address;
  }
  if (!is_gimple_assign(s)) return address;
  bool const goes_on = gimple_assign_single_p(s) || gimple_assign_cast_p(s) || gimple_assign_rhs_code(s) == POINTER_PLUS_EXPR;
  tree const from = gimple_assign_rhs1(s);
  bool const is_pointer = POINTER_TYPE_P(TREE_TYPE(from)) && (TREE_CODE(from) == SSA_NAME || TREE_CODE(from) == ADDR_EXPR);
  return goes_on && is_pointer ? origin_of(from, depth + 1) : address;
}

/// The variable that a reference lies in, directly or by way of a pointer to it.
tree variable_of(tree reference, bool& directly) {
  directly = true;
  tree base = base_of(reference);
  if (TREE_CODE(base) == SSA_NAME || TREE_CODE(base) == ADDR_EXPR) {
    if (TREE_CODE(reference) != MEM_REF && !handled_component_p(reference)) return NULL_TREE;
    directly = TREE_CODE(base) == ADDR_EXPR;
    tree const from = origin_of(base);
    if (TREE_CODE(from) != ADDR_EXPR) return NULL_TREE;
    base = base_of(TREE_OPERAND(from, 0));
  }
  return DECL_P(base) && is_own(base) ? base : NULL_TREE;
}

tree variable_at(tree address) {
  tree const from = origin_of(address);
  if (TREE_CODE(from) != ADDR_EXPR) return NULL_TREE;
  tree const base = base_of(TREE_OPERAND(from, 0));
  return DECL_P(base) && is_own(base) ? base : NULL_TREE;
}

/// Ends the clobber a life, or is it where a constructor begins?
bool ends_life(gimple* s) {
  if (!gimple_clobber_p(s) || !DECL_P(gimple_assign_lhs(s))) return false;
#if GCCPLUGIN_VERSION_MAJOR >= 14
  return CLOBBER_KIND(gimple_assign_rhs1(s)) == CLOBBER_STORAGE_END;
#elif GCCPLUGIN_VERSION_MAJOR >= 12
  return CLOBBER_KIND(gimple_assign_rhs1(s)) == CLOBBER_EOL;
#else
  return true;
#endif
}

/// void __teamsan_own_gone(char const* name, unsigned long long bytes)
tree own_gone() {
  tree const type =
      build_function_type_list(void_type_node, build_pointer_type(char_type_node), long_long_unsigned_type_node, NULL_TREE);
  return leaf_function("__teamsan_own_gone", type);
}

enum class Life { unknown, over, not_reached };

pass_data const data = {GIMPLE_PASS, "teamsan_gone", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

class Gone final : public gimple_opt_pass {
 public:
  explicit Gone(gcc::context* c) : gimple_opt_pass(data, c) {}
  bool gate(function* f) final { return sanitize_flags_p(SANITIZE_THREAD, f->decl) && !has_mark(f->decl, plain_body); }

  unsigned int execute(function* f) final {
    m_ending.clear();
    m_lost.clear();
    basic_block b;
    FOR_EACH_BB_FN(b, f)
    for (gimple_stmt_iterator i = gsi_start_bb(b); !gsi_end_p(i); gsi_next(&i))
      if (ends_life(gsi_stmt(i))) add(gimple_assign_lhs(gsi_stmt(i)));
    if (m_ending.empty()) return 0;
    find_lost(f);
    constexpr std::size_t most_work = 200'000;  // a function may have thousands of both
    std::set<tree> const read = read_by_reference(f);
    std::vector<std::pair<gimple*, tree>> reads;
    for (tree const variable : m_ending)
      if (m_lost.count(variable) == 0 && read.count(variable) != 0 &&
          read.size() * static_cast<std::size_t>(n_basic_blocks_for_fn(f)) < most_work)
        find_reads(f, variable, reads);
    if (reads.empty()) return 0;
    for (auto const& [s, variable] : reads) tell_before(s, variable);
    mark_virtual_operands_for_renaming(f);
    return TODO_update_ssa_only_virtuals;
  }

 private:
  void add(tree variable) {
    bool const known = std::find(m_ending.begin(), m_ending.end(), variable) != m_ending.end();
    if (is_own(variable) && !known) m_ending.push_back(variable);
  }

  /// By its name a variable is not read behind its life: the name is known in its block alone.
  static std::set<tree> read_by_reference(function* f) {
    std::set<tree> variables;
    basic_block b;
    FOR_EACH_BB_FN(b, f)
    for (gimple_stmt_iterator i = gsi_start_bb(b); !gsi_end_p(i); gsi_next(&i)) {
      gimple* const s = gsi_stmt(i);
      if (!gimple_assign_single_p(s) || !gimple_assign_load_p(s) || DECL_P(base_of(gimple_assign_rhs1(s)))) continue;
      bool directly;
      if (tree const variable = variable_of(gimple_assign_rhs1(s), directly); variable != NULL_TREE) variables.insert(variable);
    }
    return variables;
  }

  /// Variables whose address goes into memory, into one of several pointers, or is asked of otherwise.
  void find_lost(function* f) {
    auto const lose = [&](tree value) {
      if (value == NULL_TREE || TREE_TYPE(value) == NULL_TREE || !POINTER_TYPE_P(TREE_TYPE(value))) return;
      if (tree const variable = variable_at(value); variable != NULL_TREE) m_lost.insert(variable);
    };
    basic_block b;
    FOR_EACH_BB_FN(b, f) {
      for (gphi_iterator i = gsi_start_phis(b); !gsi_end_p(i); gsi_next(&i))
        if (gimple_phi_num_args(i.phi()) != 1)
          for (unsigned n = 0; n != gimple_phi_num_args(i.phi()); ++n) lose(gimple_phi_arg_def(i.phi(), n));
      for (gimple_stmt_iterator i = gsi_start_bb(b); !gsi_end_p(i); gsi_next(&i)) {
        gimple* const s = gsi_stmt(i);
        if (is_gimple_debug(s) || gimple_clobber_p(s)) continue;
        if (is_gimple_assign(s)) {
          bool const into_memory = gimple_store_p(s);
          bool const follows = gimple_assign_single_p(s) || gimple_assign_cast_p(s) ||
                               gimple_assign_rhs_code(s) == POINTER_PLUS_EXPR;
          if (into_memory || !follows)
            for (unsigned n = 1; n != gimple_num_ops(s); ++n) lose(gimple_op(s, n));
          if (follows && !into_memory && gimple_assign_lhs(s) != NULL_TREE && !POINTER_TYPE_P(TREE_TYPE(gimple_assign_lhs(s))))
            lose(gimple_assign_rhs1(s));
          if (TREE_CODE(gimple_assign_rhs1(s)) == CONSTRUCTOR && !gimple_clobber_p(s)) lose_all_of(gimple_assign_rhs1(s));
        } else if (!is_gimple_call(s)) {
          for (unsigned n = 0; n != gimple_num_ops(s); ++n)
            if (gimple_op(s, n) != NULL_TREE) lose(gimple_op(s, n));
          if (gimple_code(s) == GIMPLE_ASM) lose_all();
        }
      }
    }
  }
  void lose_all_of(tree constructor) {
    unsigned n;
    tree value;
    FOR_EACH_CONSTRUCTOR_VALUE(CONSTRUCTOR_ELTS(constructor), n, value) {
      if (TREE_CODE(value) == CONSTRUCTOR) lose_all_of(value);
      else if (POINTER_TYPE_P(TREE_TYPE(value)))
        if (tree const variable = variable_at(value); variable != NULL_TREE) m_lost.insert(variable);
    }
  }
  void lose_all() { m_lost.insert(m_ending.begin(), m_ending.end()); }

  /// Whatever may begin its life anew: a store, a call that is given its address, or leaves its result there.
  static bool may_begin(gimple* s, tree variable) {
    bool directly;
    if (is_gimple_call(s)) {
      for (unsigned n = 0; n != gimple_call_num_args(s); ++n)
        if (POINTER_TYPE_P(TREE_TYPE(gimple_call_arg(s, n))) && variable_at(gimple_call_arg(s, n)) == variable) return true;
      tree const result = gimple_call_lhs(s);
      return result != NULL_TREE && TREE_CODE(result) != SSA_NAME && variable_of(result, directly) == variable;
    }
    return is_gimple_assign(s) && gimple_store_p(s) && !gimple_clobber_p(s) &&
           variable_of(gimple_assign_lhs(s), directly) == variable;
  }

  /// Of an empty class nothing is read.
  static bool reads(gimple* s, tree variable) {
    bool directly;
    if (gimple_assign_single_p(s) && AGGREGATE_TYPE_P(TREE_TYPE(gimple_assign_rhs1(s))) &&
        int_size_in_bytes(TREE_TYPE(gimple_assign_rhs1(s))) <= 1)
      return false;
    return gimple_assign_single_p(s) && gimple_assign_load_p(s) && variable_of(gimple_assign_rhs1(s), directly) == variable;
  }

  static Life after(basic_block b, tree variable, Life life, std::vector<std::pair<gimple*, tree>>* found) {
    for (gimple_stmt_iterator i = gsi_start_bb(b); !gsi_end_p(i); gsi_next(&i)) {
      gimple* const s = gsi_stmt(i);
      if (found != nullptr && life == Life::over && reads(s, variable)) found->push_back({s, variable});
      if (ends_life(s) && gimple_assign_lhs(s) == variable)
        life = Life::over;
      else if (may_begin(s, variable))
        life = Life::unknown;
    }
    return life;
  }

  static void find_reads(function* f, tree variable, std::vector<std::pair<gimple*, tree>>& found) {
    std::map<int, Life> at_end;
    auto const at_begin = [&](basic_block b) {
      Life life = Life::not_reached;
      edge e;
      edge_iterator i;
      FOR_EACH_EDGE(e, i, b->preds) {
        if (e->src == ENTRY_BLOCK_PTR_FOR_FN(f)) return Life::unknown;
        auto const known = at_end.find(e->src->index);
        Life const there = known == at_end.end() ? Life::not_reached : known->second;
        if (there == Life::not_reached) continue;
        if (life != Life::not_reached && life != there) return Life::unknown;
        life = there;
      }
      return life;
    };
    basic_block b;
    for (bool more = true; more;) {
      more = false;
      FOR_EACH_BB_FN(b, f) {
        Life const begin = at_begin(b);
        Life const end = begin == Life::not_reached ? begin : after(b, variable, begin, nullptr);
        Life& known = at_end.try_emplace(b->index, Life::not_reached).first->second;
        if (known == end || known == Life::unknown) continue;
        known = end;
        more = true;
      }
    }
    FOR_EACH_BB_FN(b, f)
    if (Life const begin = at_begin(b); begin != Life::not_reached) after(b, variable, begin, &found);
  }

  static void tell_before(gimple* s, tree variable) {
    std::string const name = DECL_NAME(variable) != NULL_TREE ? IDENTIFIER_POINTER(DECL_NAME(variable)) : "";
    HOST_WIDE_INT const bytes = int_size_in_bytes(TREE_TYPE(gimple_assign_rhs1(s)));
    gcall* const told = gimple_build_call(own_gone(), 2, build_string_literal(name.size() + 1, name.c_str()),
                                          build_int_cst(long_long_unsigned_type_node, bytes > 0 ? bytes : 0));
    gimple_set_location(told, gimple_location(s));
    gimple_set_block(told, gimple_block(s));
    gimple_stmt_iterator at = gsi_for_stmt(s);
    gsi_insert_before(&at, told, GSI_SAME_STMT);
  }

  std::vector<tree> m_ending;
  std::set<tree> m_lost;
};

}  // namespace

gimple_opt_pass* make_gone(gcc::context* context) { return new Gone(context); }

}  // namespace teamsan_plugin
