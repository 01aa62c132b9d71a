// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The second pass, over plain bodies, where GCC's own for ThreadSanitizer would stand: what is in line is there, and
/// loops are not yet vectorised. A loop by which a lane may wait for another one, since whether it ends hangs on what was read
/// in it, asks the runtime now and then to let others run (__teamsan_poll). Atomics are calls of the runtime's, which knows by
/// them whether lanes get on.
///
/// Where a body runs many lanes in a loop (blocks_root), nobody could let another lane of these run: such a body is left only
/// to kernels in which no lane can wait. It asks __teamsan_runs_together(), and the answer is put here; atomics are then the
/// processor's own. The same of __teamsan_may_hand_over(): may a lane tell another one that something is done?
#include "Atomics.hpp"
#include "HandOvers.hpp"
#include "Marks.hpp"

namespace teamsan_plugin {

namespace {

constexpr unsigned between_polls = 1024;  // a power of two
constexpr char const *asks_together = "__teamsan_runs_together", *asks_hand_over = "__teamsan_may_hand_over";

/// Where a value in a loop is from: outside; computed of what is outside and of the loop's own numbers; memory, or a function.
enum class Origin { outside, computed, read };

/// Of C's library, which at the most writes errno besides: pow, say.
bool is_function_of_numbers(gimple* s) {
  if (!gimple_call_builtin_p(s, BUILT_IN_NORMAL) || gimple_call_lhs(s) == NULL_TREE) return false;
  int const flags = gimple_call_flags(s);
  if (!(flags & ECF_NOTHROW) || !(flags & ECF_LEAF) || TREE_CODE(TREE_TYPE(gimple_call_lhs(s))) != REAL_TYPE) return false;
  for (unsigned i = 0; i != gimple_call_num_args(s); ++i) {
    tree const type = TREE_TYPE(gimple_call_arg(s, i));
    if (TREE_CODE(type) != REAL_TYPE && !INTEGRAL_TYPE_P(type)) return false;
  }
  return gimple_call_num_args(s) != 0;
}

class LoopValues {
 public:
  explicit LoopValues(class loop* loop) : m_loop(loop) {}

  Origin of(tree value) {
    if (TREE_CODE(value) != SSA_NAME) return is_gimple_min_invariant(value) ? Origin::outside : Origin::read;
    gimple* const s = SSA_NAME_DEF_STMT(value);
    basic_block const b = gimple_bb(s);
    if (SSA_NAME_IS_DEFAULT_DEF(value) || b == nullptr || !flow_bb_inside_loop_p(m_loop, b)) return Origin::outside;
    auto const [known, fresh] = m_known.emplace(value, Origin::computed);
    if (!fresh) return known->second;
    Origin const origin = found(s, b);
    m_known[value] = origin;
    return origin;
  }

 private:
  Origin found(gimple* s, basic_block b) {
    if (gphi* const phi = dyn_cast<gphi*>(s)) {
      if (b != m_loop->header) return Origin::read;  // which one may hang on what was read
      Origin all = Origin::computed;
      for (unsigned i = 0; i != gimple_phi_num_args(phi); ++i)
        if (flow_bb_inside_loop_p(m_loop, gimple_phi_arg_edge(phi, i)->src))
          all = std::max(all, of(gimple_phi_arg_def(phi, i)));
      return all;
    }
    if (gimple_vuse(s) != NULL_TREE && !is_function_of_numbers(s)) return Origin::read;
    Origin all = Origin::outside;
    ssa_op_iter i;
    tree operand;
    FOR_EACH_SSA_TREE_OPERAND(operand, s, i, SSA_OP_USE) all = std::max(all, of(operand));
    return is_gimple_assign(s) || is_gimple_call(s) ? all : Origin::read;
  }

  class loop* m_loop;
  std::map<tree, Origin> m_known;
};

/// The compare-and-exchange that the value comes of, through conversions, or nullptr; `exchanged`: whether it says if it was.
gcall* exchange_of(tree value, bool& exchanged) {
  exchanged = false;
  for (int depth = 0; depth != 8 && value != NULL_TREE && TREE_CODE(value) == SSA_NAME; ++depth) {
    gimple* const s = SSA_NAME_DEF_STMT(value);
    if (!is_gimple_assign(s)) return nullptr;
    tree operand = gimple_assign_rhs1(s);
    switch (gimple_assign_rhs_code(s)) {
      case REALPART_EXPR:
      case IMAGPART_EXPR: {
        exchanged = gimple_assign_rhs_code(s) == IMAGPART_EXPR;
        operand = TREE_OPERAND(operand, 0);
        return TREE_CODE(operand) == SSA_NAME ? compare_exchange(SSA_NAME_DEF_STMT(operand)) : nullptr;
      }
      case VIEW_CONVERT_EXPR: value = TREE_OPERAND(operand, 0); break;
      case NOP_EXPR:
      case CONVERT_EXPR:
      case SSA_NAME: value = operand; break;
      default: return nullptr;
    }
  }
  return nullptr;
}
tree without_conversions(tree value) {
  for (int depth = 0; depth != 8 && value != NULL_TREE && TREE_CODE(value) == SSA_NAME; ++depth) {
    gimple* const s = SSA_NAME_DEF_STMT(value);
    if (!is_gimple_assign(s)) break;
    tree_code const code = gimple_assign_rhs_code(s);
    if (code == VIEW_CONVERT_EXPR)
      value = TREE_OPERAND(gimple_assign_rhs1(s), 0);
    else if (code == NOP_EXPR || code == CONVERT_EXPR || code == SSA_NAME)
      value = gimple_assign_rhs1(s);
    else
      break;
  }
  return value;
}

/// An update by compare-and-exchange, that expects what the one before it has found: no other lane has anything to do for it.
bool is_update(class loop* loop, gcall* exchange) {
  tree const expected = without_conversions(gimple_call_arg(exchange, 1));
  if (expected == NULL_TREE || TREE_CODE(expected) != SSA_NAME) return false;
  gphi* const phi = dyn_cast<gphi*>(SSA_NAME_DEF_STMT(expected));
  if (phi == nullptr || gimple_bb(phi) != loop->header) return false;
  for (unsigned i = 0; i != gimple_phi_num_args(phi); ++i) {
    if (!flow_bb_inside_loop_p(loop, gimple_phi_arg_edge(phi, i)->src)) continue;
    bool exchanged = false;
    if (exchange_of(gimple_phi_arg_def(phi, i), exchanged) != exchange || exchanged) return false;
  }
  return true;
}
bool is_update(class loop* loop, gcond* condition) {
  for (tree const side : {gimple_cond_lhs(condition), gimple_cond_rhs(condition)}) {
    bool exchanged = false;
    if (gcall* const exchange = exchange_of(side, exchanged);
        exchange != nullptr && flow_bb_inside_loop_p(loop, gimple_bb(exchange)) && is_update(loop, exchange))
      return true;
  }
  return false;
}

/// Does the loop end this way where an update found what was expected, whatever else it ends by (a larger maximum, say)?
bool ends_when_updated(class loop* loop, edge e, gcond* condition) {
  if (loop->latch == nullptr || !dominated_by_p(CDI_DOMINATORS, loop->latch, e->src)) return false;
  tree const one = gimple_cond_lhs(condition), other = gimple_cond_rhs(condition);
  tree_code const code = gimple_cond_code(condition);
  if (code != EQ_EXPR && code != NE_EXPR) return false;
  if (((e->flags & EDGE_TRUE_VALUE) != 0) != (code == EQ_EXPR)) return false;
  for (bool const swapped : {false, true}) {
    bool exchanged = false;
    gcall* const exchange = exchange_of(swapped ? other : one, exchanged);
    if (exchange == nullptr || exchanged || !flow_bb_inside_loop_p(loop, gimple_bb(exchange))) continue;
    if (without_conversions(swapped ? one : other) == without_conversions(gimple_call_arg(exchange, 1)) &&
        is_update(loop, exchange))
      return true;
  }
  return false;
}

/// Nothing of memory: whatever makes it end is the lane's own.
bool reads_nothing(class loop* loop) {
  basic_block* const body = get_loop_body(loop);
  bool nothing = true;
  for (unsigned n = 0; n != loop->num_nodes; ++n)
    for (gimple_stmt_iterator i = gsi_start_bb(body[n]); !gsi_end_p(i); gsi_next(&i)) {
      gimple* const s = gsi_stmt(i);
      bool const calls = is_gimple_call(s) && !is_function_of_numbers(s) && !gimple_call_internal_p(s);
      if (is_gimple_debug(s) || gimple_clobber_p(s)) continue;
      nothing = nothing && gimple_code(s) != GIMPLE_ASM && !calls && (gimple_vuse(s) == NULL_TREE || is_function_of_numbers(s));
    }
  free(body);
  return nothing;
}

/// May a lane be in the loop until another one has done something?
bool may_wait(class loop* loop) {
  LoopValues values(loop);
  auto exits = get_loop_exit_edges(loop);
  bool ends = false, waits = false;
  for (unsigned i = 0; i != exits.length(); ++i) {
    edge const e = exits[i];
    if (e->flags & (EDGE_EH | EDGE_ABNORMAL)) continue;
    ends = true;
    gimple_stmt_iterator const last = gsi_last_nondebug_bb(e->src);
    gimple* const s = gsi_end_p(last) ? nullptr : gsi_stmt(last);
    if (gcond* const condition = s != nullptr ? dyn_cast<gcond*>(s) : nullptr) {
      if (ends_when_updated(loop, e, condition)) return false;
      Origin const a = values.of(gimple_cond_lhs(condition)), b = values.of(gimple_cond_rhs(condition));
      waits |= a != Origin::computed && b != Origin::computed && (a == Origin::read || b == Origin::read) &&
               !is_update(loop, condition);
    } else {
      waits = true;
    }
  }
  return (waits && !reads_nothing(loop)) || !ends;
}

tree poll_function() {
  tree& known = runtime_function[poll];
  if (known == NULL_TREE) {
    known = build_fn_decl("__teamsan_poll", build_function_type_list(void_type_node, NULL_TREE));
    TREE_NOTHROW(known) = 1;
  }
  return known;
}

/// if (++n % between_polls == 0) __teamsan_poll(); behind each turn of the loop; at each turn where it has not the usual shape.
void poll_in(class loop* loop) {
  bool const usual = loop->latch != nullptr && single_succ_p(loop->latch) && EDGE_COUNT(loop->header->preds) == 2;
  if (!usual || (loop_latch_edge(loop)->flags & EDGE_COMPLEX) || (loop_preheader_edge(loop)->flags & EDGE_COMPLEX)) {
    gimple_stmt_iterator at = gsi_after_labels(loop->header);
    gsi_insert_before(&at, gimple_build_call(poll_function(), 0), GSI_SAME_STMT);
    return;
  }
  edge const back = loop_latch_edge(loop);
  edge const entry = loop_preheader_edge(loop);
  gphi* const turns = create_phi_node(make_ssa_name(unsigned_type_node), loop->header);
  basic_block const test = split_edge(back);
  gimple_stmt_iterator i = gsi_last_bb(test);
  tree const next = make_ssa_name(unsigned_type_node), low = make_ssa_name(unsigned_type_node);
  gsi_insert_after(&i, gimple_build_assign(next, PLUS_EXPR, gimple_phi_result(turns), build_one_cst(unsigned_type_node)),
                   GSI_NEW_STMT);
  gsi_insert_after(&i, gimple_build_assign(low, BIT_AND_EXPR, next, build_int_cst(unsigned_type_node, between_polls - 1)),
                   GSI_NEW_STMT);
  gcond* const due = gimple_build_cond(EQ_EXPR, low, build_zero_cst(unsigned_type_node), NULL_TREE, NULL_TREE);
  gsi_insert_after(&i, due, GSI_NEW_STMT);
  edge const not_due = split_block(test, due);
  basic_block const behind = not_due->dest, polls = create_empty_bb(test);
  add_bb_to_loop(polls, test->loop_father);
  not_due->flags = EDGE_FALSE_VALUE;
  edge const is_due = make_edge(test, polls, EDGE_TRUE_VALUE);
  is_due->probability = profile_probability::very_unlikely();
  not_due->probability = is_due->probability.invert();
  polls->count = test->count.apply_probability(is_due->probability);
  make_single_succ_edge(polls, behind, EDGE_FALLTHRU);
  i = gsi_start_bb(polls);
  gsi_insert_after(&i, gimple_build_call(poll_function(), 0), GSI_NEW_STMT);
  add_phi_arg(turns, build_zero_cst(unsigned_type_node), entry, UNKNOWN_LOCATION);
  add_phi_arg(turns, next, single_succ_edge(behind), UNKNOWN_LOCATION);
}

/// The call ends the program, by an abort.
bool ends_program(gimple* call) {
  tree const to = gimple_call_fndecl(call);
  if (to == NULL_TREE || !(gimple_call_flags(call) & ECF_NORETURN)) return false;
  if (has_mark(to, patient_body)) return true;
  for (char const* const known :
       {"_ZN6Kokkos5abortEPKc", "_ZN6Kokkos4Impl10host_abortEPKc", "__assert_fail", "_ZSt9terminatev"})
    if (is_named(to, known)) return true;
  return false;
}

/// Whatever else the call does, no lane comes to wait in it.
bool is_patient(gimple* call) {
  if (gimple_call_internal_p(call)) return true;
  tree const to = gimple_call_fndecl(call);
  if (to == NULL_TREE) return false;
  int const flags = gimple_call_flags(call);
  if (flags & (ECF_CONST | ECF_PURE)) return true;
  if (fndecl_built_in_p(to, BUILT_IN_NORMAL)) return (flags & ECF_NOTHROW) && (flags & ECF_LEAF);
  return has_mark(to, patient_body) || is_named(to, asks_together) || is_named(to, asks_hand_over) || ends_program(call);
}

pass_data const data = {GIMPLE_PASS, "teamsan_waits", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

class Waits final : public gimple_opt_pass {
 public:
  explicit Waits(gcc::context* c) : gimple_opt_pass(data, c) {}
  opt_pass* clone() final { return new Waits(m_ctxt); }
  /// Of what is not instrumented the headers' own functions are looked at, too, for what blocks call.
  bool gate(function* f) final { return has_mark(f->decl, plain_body) || !sanitize_flags_p(SANITIZE_THREAD, f->decl); }

  unsigned int execute(function* f) final {
    bool const is_plain = has_mark(f->decl, plain_body), may_wait = look_at_loops(f, is_plain);
    bool calm = !may_wait, throws = false, tells = false;
    basic_block b;
    FOR_EACH_BB_FN(b, f)
    for (gimple_stmt_iterator i = gsi_start_bb(b); !gsi_end_p(i); gsi_next(&i)) {
      gimple* const s = gsi_stmt(i);
      calm = calm && (!is_gimple_call(s) || is_patient(s));
      throws = throws || (stmt_can_throw_external(f, s) && !(is_gimple_call(s) && ends_program(s)));
      tells = tells || hands_over(s);
    }
    bool const together = calm && !throws;
    if (together) add_mark(f->decl, patient_body);  // callers come behind it, mostly
    if (tells) add_mark(f->decl, telling_body);
    if (!is_plain) return 0;
    bool const many_lanes = has_mark(f->decl, blocks_root);
    FOR_EACH_BB_FN(b, f)
    for (gimple_stmt_iterator i = gsi_start_bb(b); !gsi_end_p(i); gsi_next(&i)) {
      if (many_lanes) answer(i, together, tells);
      if (!many_lanes || !together) call_runtime_for_atomic(i);
    }
    return TODO_cleanup_cfg | TODO_update_ssa_only_virtuals;
  }

 private:
  /// May a lane wait in one? `polls`: then it polls there.
  static bool look_at_loops(function* f, bool polls) {
    loop_optimizer_init(LOOPS_NORMAL);
    std::vector<class loop*> waiting;
    for (unsigned i = 1; i != number_of_loops(f); ++i)
      if (class loop* const loop = get_loop(f, static_cast<int>(i)); loop != nullptr && may_wait(loop)) waiting.push_back(loop);
    std::vector<edge> irreducible;  // goto's, which are rare
    if (mark_dfs_back_edges()) {
      basic_block b;
      edge e;
      edge_iterator i;
      FOR_EACH_BB_FN(b, f)
      FOR_EACH_EDGE(e, i, b->succs)
      if ((e->flags & EDGE_DFS_BACK) && (e->flags & EDGE_IRREDUCIBLE_LOOP)) irreducible.push_back(e);
    }
    if (polls) {
      for (edge const e : irreducible)
        if (!(e->flags & (EDGE_ABNORMAL | EDGE_EH))) gsi_insert_on_edge(e, gimple_build_call(poll_function(), 0));
      for (class loop* const loop : waiting) poll_in(loop);
    }
    loop_optimizer_finalize();
    bool const any = !irreducible.empty() || !waiting.empty();
    if (!polls || !any) return any;
    gsi_commit_edge_inserts();
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
    mark_virtual_operands_for_renaming(f);
    return true;
  }

  static void answer(gimple_stmt_iterator& at, bool together, bool tells) {
    gimple* const s = gsi_stmt(at);
    if (calls(s, asks_together)) return put_value(at, together ? boolean_true_node : boolean_false_node);
    if (calls(s, asks_hand_over)) put_value(at, tells ? boolean_true_node : boolean_false_node);
  }
};

}  // namespace

gimple_opt_pass* make_waits(gcc::context* context) { return new Waits(context); }

}  // namespace teamsan_plugin
