// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the compiler's own pass for ThreadSanitizer leaves out (tsan.cc looks at assignments): a struct that a call returns
/// straight into memory (`v(i) = f(x)`), and one that a call takes by value from there (`g(v(i))`). Each becomes a call of the
/// callbacks that the pass itself uses, with the line of the call; structs that are not copied bit by bit are handed over by
/// address, and what happens there is seen in the function that is called.
#include "Marks.hpp"

#include <gimplify.h>
#include <gimplify-me.h>

namespace teamsan_plugin {

namespace {

/// The bytes of a value that lies in memory which others may see; 0: it does not.
HOST_WIDE_INT bytes_in_memory(tree value) {
  if (!AGGREGATE_TYPE_P(TREE_TYPE(value)) || TREE_ADDRESSABLE(TREE_TYPE(value))) return 0;
  tree const base = get_base_address(value);
  if (base == NULL_TREE || TREE_CODE(base) == SSA_NAME || CONSTANT_CLASS_P(base)) return 0;
  if (DECL_P(base) && (!is_global_var(base) || DECL_HARD_REGISTER(base) || TREE_READONLY(base))) return 0;
  if (!DECL_P(base) && TREE_CODE(base) != MEM_REF && TREE_CODE(base) != TARGET_MEM_REF) return 0;
  HOST_WIDE_INT const bytes = int_size_in_bytes(TREE_TYPE(value));
  return bytes > 0 ? bytes : 0;
}

/// The callback's call: of a range, as of a struct that is copied, whatever its size. What is padding in it is nobody's read.
gimple_seq told(tree value, HOST_WIDE_INT bytes, bool writes, gimple* at) {
  gimple_seq code = nullptr;
  tree const address = force_gimple_operand(build_fold_addr_expr(unshare_expr(value)), &code, true, NULL_TREE);
  tree const callback = builtin_decl_implicit(writes ? BUILT_IN_TSAN_WRITE_RANGE : BUILT_IN_TSAN_READ_RANGE);
  gimple* const call = gimple_build_call(callback, 2, address, build_int_cst(size_type_node, bytes));
  gimple_seq_add_stmt_without_update(&code, call);
  for (gimple_stmt_iterator i = gsi_start(code); !gsi_end_p(i); gsi_next(&i)) {
    gimple_set_location(gsi_stmt(i), gimple_location(at));
    gimple_set_block(gsi_stmt(i), gimple_block(at));
  }
  return code;
}

pass_data const data = {GIMPLE_PASS, "teamsan_struct_values", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0,
                        TODO_update_ssa};

class StructValues final : public gimple_opt_pass {
 public:
  StructValues(gcc::context* c, bool optimised) : gimple_opt_pass(data, c), m_optimised(optimised) {}
  opt_pass* clone() final { return new StructValues(m_ctxt, m_optimised); }
  bool gate(function* f) final { return (optimize > 0) == m_optimised && sanitize_flags_p(SANITIZE_THREAD, f->decl); }

  unsigned int execute(function* f) final {
    initialize_sanitizer_builtins();
    bool on_edges = false;
    basic_block b;
    FOR_EACH_BB_FN(b, f)
    for (gimple_stmt_iterator i = gsi_start_bb(b); !gsi_end_p(i); gsi_next(&i)) {
      gimple* const s = gsi_stmt(i);
      if (!is_gimple_call(s) || gimple_call_internal_p(s) || gimple_call_builtin_p(s, BUILT_IN_NORMAL)) continue;
      for (unsigned n = 0; n != gimple_call_num_args(s); ++n)
        if (tree const value = gimple_call_arg(s, n); HOST_WIDE_INT const bytes = bytes_in_memory(value))
          gsi_insert_seq_before(&i, told(value, bytes, false, s), GSI_SAME_STMT);
      tree const result = gimple_call_lhs(s);
      HOST_WIDE_INT const bytes = result != NULL_TREE ? bytes_in_memory(result) : 0;
      if (bytes == 0) continue;
      if (!stmt_ends_bb_p(s)) {
        gsi_insert_seq_after(&i, told(result, bytes, true, s), GSI_CONTINUE_LINKING);
      } else if (edge const on = find_fallthru_edge(b->succs); on != nullptr) {  // it may throw
        gsi_insert_seq_on_edge(on, told(result, bytes, true, s));
        on_edges = true;
      }
    }
    if (on_edges) gsi_commit_edge_inserts();
    return 0;
  }

 private:
  bool m_optimised;  ///< stands before the pass for optimised code; there is another one for code that is not
};

}  // namespace

gimple_opt_pass* make_struct_values(gcc::context* context, bool optimised) { return new StructValues(context, optimised); }

}  // namespace teamsan_plugin
