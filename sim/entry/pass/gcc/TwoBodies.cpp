// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The first pass: before anything is in line, all that a root calls, directly or not, and that -fsanitize=thread would
/// instrument, gets a second body. Second bodies are not instrumented, call each other, and are optimised as if TeamSan's flags
/// against vectorising were not there. What was there before stays as it was, and is what others call: pointers to functions,
/// virtual calls, other files.
#include "Marks.hpp"

namespace teamsan_plugin {

namespace {

/// What a call goes to, if its body is here and may be copied.
cgraph_node* body_of(cgraph_node* n) {
  if (n == nullptr) return nullptr;
  n = n->ultimate_alias_target();
  if (n == nullptr || !n->definition || n->thunk || !n->has_gimple_body_p()) return nullptr;
  if (!tree_versionable_function_p(n->decl)) return nullptr;
  return DECL_STRUCT_FUNCTION(n->decl) != nullptr && DECL_STRUCT_FUNCTION(n->decl)->cfg != nullptr ? n : nullptr;
}

bool calls_itself(cgraph_node* n) {
  for (cgraph_edge* e = n->callees; e != nullptr; e = e->next_callee)
    if (body_of(e->callee) == n) return true;
  return false;
}

/// Not instrumented, and what TeamSan's flags take from the optimiser is given back, as far as the level has it.
void make_plain(tree decl) {
  tree const old = lookup_attribute("no_sanitize", DECL_ATTRIBUTES(decl));
  unsigned HOST_WIDE_INT const bits = SANITIZE_THREAD | (old != nullptr ? tree_to_uhwi(TREE_VALUE(old)) : 0);
  tree const value = build_int_cst(unsigned_type_node, bits);
  DECL_ATTRIBUTES(decl) = tree_cons(get_identifier("no_sanitize"), value, DECL_ATTRIBUTES(decl));
  add_mark(decl, plain_body);
  gcc_options options = global_options, set = global_options_set;
  tree const own = DECL_FUNCTION_SPECIFIC_OPTIMIZATION(decl);
  cl_optimization_restore(&options, &set, TREE_OPTIMIZATION(own != nullptr ? own : optimization_default_node));
  int const vectorised_from = GCCPLUGIN_VERSION_MAJOR >= 12 ? 2 : 3;
  bool const fast = options.x_optimize >= 2 && !options.x_optimize_size;
  options.x_flag_tree_loop_vectorize = options.x_flag_tree_slp_vectorize = fast && options.x_optimize >= vectorised_from;
  options.x_flag_tree_loop_distribute_patterns = fast;
  options.x_flag_tree_tail_merge = options.x_flag_crossjumping = fast;
  DECL_FUNCTION_SPECIFIC_OPTIMIZATION(decl) = build_optimization_node(&options, &set);
}

void take_in_line(cgraph_node* n) {
  tree const decl = n->decl;
  // Some cannot be, whoever asks for it: what jumps out of a function that it calls, say (setjmp).
  if (has_mark(decl, "noinline") || !tree_inlinable_function_p(decl)) return;
  add_mark(decl, "always_inline");
  DECL_DISREGARD_INLINE_LIMITS(decl) = DECL_DECLARED_INLINE_P(decl) = 1;
}

pass_data const data = {SIMPLE_IPA_PASS, "teamsan_two_bodies", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

class TwoBodies final : public simple_ipa_opt_pass {
 public:
  explicit TwoBodies(gcc::context* c) : simple_ipa_opt_pass(data, c) {}

  unsigned int execute(function*) final {
    m_copies.clear();
    std::vector<cgraph_node*> roots, flat;
    cgraph_node* n;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(n)
    if (!n->thunk && !n->alias) {
      if (has_mark(n->decl, plain_root) || has_mark(n->decl, blocks_root)) roots.push_back(n);
      if (has_mark(n->decl, flat_root)) flat.push_back(n);
    }
    if (roots.empty()) return 0;
    std::vector<cgraph_node*> copies;  // in an order that hangs on the program alone
    for (cgraph_node* r : to_be_copied(roots)) {
      cgraph_node* const copy = r->create_version_clone_with_body(vNULL, nullptr, nullptr, nullptr, nullptr, "plain", NULL_TREE
#if GCCPLUGIN_VERSION_MAJOR >= 12
                                                                 , true
#endif
      );
      if (copy == nullptr) continue;
      make_plain(copy->decl);
      m_copies[r] = copy;
      copies.push_back(copy);
    }
    for (auto const& [original, copy] : m_copies) add_mark(original->decl, lane_body);  // copies are made by now
    for (cgraph_node* r : flat) add_mark(r->decl, flat_body);
    for (cgraph_node* r : to_be_copied(flat)) add_mark(r->decl, flat_body);
    for (cgraph_node* r : flat) {
      m_left = most_of_root;
      take_flat_in_line(r, most_of_body);
    }
    for (cgraph_node* r : roots) {
      make_plain(r->decl);
      redirect(r);
    }
    for (cgraph_node* c : copies) redirect(c);
    for (cgraph_node* r : roots)
      if (has_mark(r->decl, blocks_root)) take_callees_in_line(r);
    return 0;
  }

 private:
  /// What the roots reach, and is instrumented, or calls what is. In the order in which it was reached.
  static std::vector<cgraph_node*> to_be_copied(std::vector<cgraph_node*> const& roots) {
    std::vector<cgraph_node*> reached, todo = roots;
    std::set<cgraph_node*> seen(roots.begin(), roots.end()), wanted;
    while (!todo.empty()) {
      cgraph_node* const n = todo.back();
      todo.pop_back();
      for (cgraph_edge* e = n->callees; e != nullptr; e = e->next_callee)
        if (cgraph_node* const to = body_of(e->callee); to != nullptr && seen.insert(to).second) {
          reached.push_back(to);
          todo.push_back(to);
          if (sanitize_flags_p(SANITIZE_THREAD, to->decl)) wanted.insert(to);
        }
    }
    for (bool more = true; more;) {
      more = false;
      for (cgraph_node* r : reached)
        if (wanted.count(r) == 0)
          for (cgraph_edge* e = r->callees; e != nullptr; e = e->next_callee)
            if (wanted.count(body_of(e->callee)) != 0) more |= wanted.insert(r).second;
    }
    std::vector<cgraph_node*> all;
    for (cgraph_node* r : reached)
      if (wanted.count(r) != 0) all.push_back(r);
    return all;
  }

  /// The user's body, which the root calls by way of the header's own functions, which are always in line.
  static void take_callees_in_line(cgraph_node* root) {
    for (cgraph_edge* e = root->callees; e != nullptr; e = e->next_callee) {
      cgraph_node* const to = e->callee;
      if (!has_mark(to->decl, plain_body) || calls_itself(to)) continue;
      if (DECL_DISREGARD_INLINE_LIMITS(to->decl))
        take_callees_in_line(to);
      else
        take_in_line(to);
    }
  }

  /// What lanes of a flat launch access is known where all of it is in one function (LaneAccesses.cpp), and checks in line are
  /// cheaper there: the user's body, and what is small of that which it calls, as a GPU's compiler has it at any level of
  /// optimisation. Unlike what is marked so, it need not be possible. In parts that count statements.
  void take_flat_in_line(cgraph_node* of, int most, int depth = 0) {
    if (optimize == 0 || depth == 12) return;
    for (cgraph_edge* e = of->callees; e != nullptr; e = e->next_callee) {
      cgraph_node* const to = body_of(e->callee);
      if (to == nullptr || to == of || calls_itself(to)) continue;
      if (DECL_UNINLINABLE(to->decl) || has_mark(to->decl, "noinline")) continue;
      bool const in_line = DECL_DISREGARD_INLINE_LIMITS(to->decl);
      if (!in_line && !(has_mark(to->decl, flat_body) && sanitize_flags_p(SANITIZE_THREAD, to->decl))) continue;
      int const size = statements_of(to);
      if (!in_line && (size > most || size > m_left)) continue;
      m_left -= size;
      DECL_DISREGARD_INLINE_LIMITS(to->decl) = DECL_DECLARED_INLINE_P(to->decl) = 1;
      take_flat_in_line(to, in_line ? most : most_of_callee, depth + 1);
    }
  }
  static int statements_of(cgraph_node* n) {
    int all = 0;
    basic_block b;
    FOR_EACH_BB_FN(b, DECL_STRUCT_FUNCTION(n->decl))
    for (gimple_stmt_iterator i = gsi_start_bb(b); !gsi_end_p(i); gsi_next(&i)) all += !is_gimple_debug(gsi_stmt(i));
    return all;
  }

  /// Its calls go to plain bodies, which run on lanes alone; what the front end has put there for instrumentation goes.
  void redirect(cgraph_node* n) {
    push_cfun(DECL_STRUCT_FUNCTION(n->decl));
    basic_block b;
    FOR_EACH_BB_FN(b, cfun)
    for (gimple_stmt_iterator i = gsi_start_bb(b); !gsi_end_p(i);) {
      gimple* const s = gsi_stmt(i);
      if (is_gimple_call(s) &&
          (gimple_call_internal_p(s, IFN_TSAN_FUNC_EXIT) || calls(s, "__teamsan_atomic_was_load"))) {
        unlink_stmt_vdef(s);
        gsi_remove(&i, true);
        continue;
      }
      if (is_gimple_call(s))
        if (tree const to = gimple_call_fndecl(s); to != nullptr && is_named(to, "_ZN7teamsan9in_kernelEv")) {
          put_value(i, boolean_true_node);  // Kokkos' Views ask at each access
        } else if (to != nullptr && is_named(to, "__teamsan_lane_accesses")) {
          put_value(i, null_pointer_node);  // it is asked of checked bodies
        } else if (to != nullptr) {
          if (auto const c = m_copies.find(body_of(cgraph_node::get(to))); c != m_copies.end()) {
            gimple_call_set_fndecl(as_a<gcall*>(s), c->second->decl);
            update_stmt(s);
          }
        }
      gsi_next(&i);
    }
    cgraph_edge::rebuild_edges();
    pop_cfun();
  }

  static constexpr int most_of_root = 12000, most_of_body = 4000, most_of_callee = 1000;
  std::map<cgraph_node*, cgraph_node*> m_copies;
  int m_left = 0;
};

}  // namespace

simple_ipa_opt_pass* make_two_bodies(gcc::context* context) { return new TwoBodies(context); }

}  // namespace teamsan_plugin
