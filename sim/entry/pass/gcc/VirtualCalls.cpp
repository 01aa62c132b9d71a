// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Calls of virtual functions: the runtime is told of the object before each. On a GPU an object that the host made begins with
/// the address of the host's table of its virtual functions. Where the front end knows the function there is no such call.
///
/// Behind the early inliner, as a constructor in line may make such a call one of a known function.
#include "Code.hpp"
#include "Marks.hpp"

namespace teamsan_plugin {

namespace {

/// void __teamsan_virtual_call(void const* object)
tree virtual_call() {
  tree const type = build_function_type_list(void_type_node, const_ptr_type_node, NULL_TREE);
  return leaf_function("__teamsan_virtual_call", type);
}

/// NULL_TREE: it calls none, or one of an object whose place is the function's own.
tree object_of(gimple* s) {
  if (!is_gimple_call(s) || gimple_call_internal_p(s)) return NULL_TREE;
  tree const callee = gimple_call_fn(s);
  if (callee == NULL_TREE || TREE_CODE(callee) != OBJ_TYPE_REF || !virtual_method_call_p(callee)) return NULL_TREE;
  tree const object = OBJ_TYPE_REF_OBJECT(callee);
  return TREE_CODE(object) == SSA_NAME ? object : NULL_TREE;
}

pass_data const data = {GIMPLE_PASS, "teamsan_virtual_calls", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

class VirtualCalls final : public gimple_opt_pass {
 public:
  explicit VirtualCalls(gcc::context* c) : gimple_opt_pass(data, c) {}
  bool gate(function* f) final { return sanitize_flags_p(SANITIZE_THREAD, f->decl) && !has_mark(f->decl, plain_body); }

  unsigned int execute(function* f) final {
    bool changed = false;
    basic_block b;
    FOR_EACH_BB_FN(b, f)
    for (gimple_stmt_iterator i = gsi_start_bb(b); !gsi_end_p(i); gsi_next(&i)) {
      tree const object = object_of(gsi_stmt(i));
      if (object == NULL_TREE) continue;
      gcall* const told = gimple_build_call(virtual_call(), 1, object);
      gimple_set_location(told, gimple_location(gsi_stmt(i)));
      gimple_set_block(told, gimple_block(gsi_stmt(i)));
      gsi_insert_before(&i, told, GSI_SAME_STMT);
      changed = true;
    }
    if (!changed) return 0;
    mark_virtual_operands_for_renaming(f);
    return TODO_update_ssa_only_virtuals;
  }
};

}  // namespace

gimple_opt_pass* make_virtual_calls(gcc::context* context) { return new VirtualCalls(context); }

}  // namespace teamsan_plugin
