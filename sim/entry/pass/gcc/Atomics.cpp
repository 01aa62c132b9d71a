// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What GCC's own pass for ThreadSanitizer makes of atomic builtins, for functions that it does not see to. It comes behind
/// the optimisers of single functions, as that pass does.
#include "Atomics.hpp"

#include "Code.hpp"

namespace teamsan_plugin {

tree runtime_function[runtime_functions];

namespace {

enum class Form {
  same,           ///< the same arguments
  then_operate,   ///< gives the new value; the runtime the old one
  sync,           ///< __sync: sequentially consistent, no argument says so
  sync_then_operate,
  compare,        ///< by the address of the expected value
  sync_compare_value,
  sync_compare_flag,
  lock,           ///< __sync_lock_test_and_set
  unlock,         ///< __sync_lock_release
  test_and_set,
  clear,
  fence,
  sync_fence
};

/// The first of five, for 1, 2, 4, 8 and 16 bytes, which follow each other in GCC's list; of fences and flags the only one.
struct Operation {
  built_in_function builtin, runtime;
  Form form;
  tree_code code = ERROR_MARK;
};

#define FETCH(name, code)                                                                                                    \
  {BUILT_IN_ATOMIC_FETCH_##name##_1, BUILT_IN_TSAN_ATOMIC8_FETCH_##name, Form::same},                                        \
      {BUILT_IN_ATOMIC_##name##_FETCH_1, BUILT_IN_TSAN_ATOMIC8_FETCH_##name, Form::then_operate, code},                      \
      {BUILT_IN_SYNC_FETCH_AND_##name##_1, BUILT_IN_TSAN_ATOMIC8_FETCH_##name, Form::sync},                                  \
      {BUILT_IN_SYNC_##name##_AND_FETCH_1, BUILT_IN_TSAN_ATOMIC8_FETCH_##name, Form::sync_then_operate, code}

Operation const operations[] = {
    {BUILT_IN_ATOMIC_LOAD_1, BUILT_IN_TSAN_ATOMIC8_LOAD, Form::same},
    {BUILT_IN_ATOMIC_STORE_1, BUILT_IN_TSAN_ATOMIC8_STORE, Form::same},
    {BUILT_IN_ATOMIC_EXCHANGE_1, BUILT_IN_TSAN_ATOMIC8_EXCHANGE, Form::same},
    FETCH(ADD, PLUS_EXPR),
    FETCH(SUB, MINUS_EXPR),
    FETCH(AND, BIT_AND_EXPR),
    FETCH(OR, BIT_IOR_EXPR),
    FETCH(XOR, BIT_XOR_EXPR),
    FETCH(NAND, BIT_NOT_EXPR),
    {BUILT_IN_ATOMIC_COMPARE_EXCHANGE_1, BUILT_IN_TSAN_ATOMIC8_COMPARE_EXCHANGE_STRONG, Form::compare},
    {BUILT_IN_SYNC_VAL_COMPARE_AND_SWAP_1, BUILT_IN_TSAN_ATOMIC8_COMPARE_EXCHANGE_STRONG, Form::sync_compare_value},
    {BUILT_IN_SYNC_BOOL_COMPARE_AND_SWAP_1, BUILT_IN_TSAN_ATOMIC8_COMPARE_EXCHANGE_STRONG, Form::sync_compare_flag},
    {BUILT_IN_SYNC_LOCK_TEST_AND_SET_1, BUILT_IN_TSAN_ATOMIC8_EXCHANGE, Form::lock},
    {BUILT_IN_SYNC_LOCK_RELEASE_1, BUILT_IN_TSAN_ATOMIC8_STORE, Form::unlock},
};
Operation const single[] = {
    {BUILT_IN_ATOMIC_TEST_AND_SET, BUILT_IN_TSAN_ATOMIC8_EXCHANGE, Form::test_and_set},
    {BUILT_IN_ATOMIC_CLEAR, BUILT_IN_TSAN_ATOMIC8_STORE, Form::clear},
    {BUILT_IN_ATOMIC_THREAD_FENCE, BUILT_IN_TSAN_ATOMIC_THREAD_FENCE, Form::fence},
    {BUILT_IN_ATOMIC_SIGNAL_FENCE, BUILT_IN_TSAN_ATOMIC_SIGNAL_FENCE, Form::fence},
    {BUILT_IN_SYNC_SYNCHRONIZE, BUILT_IN_TSAN_ATOMIC_THREAD_FENCE, Form::sync_fence},
};

/// What stands for one atomic call: statements before and behind it.
class Replacement {
 public:
  explicit Replacement(gimple_stmt_iterator& at)
      : m_at(at), m_call(as_a<gcall*>(gsi_stmt(at))), m_lhs(gimple_call_lhs(m_call)) {}

  tree argument(unsigned i) const { return gimple_call_arg(m_call, i); }
  tree order(int value) const { return build_int_cst(integer_type_node, value); }

  /// Calls `to` instead; its value, of the old call's type, or nullptr if nobody wants it.
  tree call(tree to, vec<tree> const& arguments, tree type) {
    gcall* const call = gimple_build_call_vec(to, arguments);
    gimple_set_location(call, gimple_location(m_call));
    tree value = NULL_TREE;
    if (m_lhs != NULL_TREE) {
      value = make_ssa_name(type);
      gimple_call_set_lhs(call, value);
    }
    gimple_set_vuse(call, gimple_vuse(m_call));
    gimple_set_vdef(call, gimple_vdef(m_call));
    if (tree const vdef = gimple_vdef(call); vdef != NULL_TREE && TREE_CODE(vdef) == SSA_NAME) SSA_NAME_DEF_STMT(vdef) = call;
    gsi_insert_before(&m_at, call, GSI_SAME_STMT);
    return value;
  }
  tree assign(tree type, tree_code code, tree a, tree b = NULL_TREE) {
    tree const value = make_ssa_name(type);
    gassign* const s = b != NULL_TREE ? gimple_build_assign(value, code, a, b) : gimple_build_assign(value, code, a);
    gimple_set_location(s, gimple_location(m_call));
    gsi_insert_before(&m_at, s, GSI_SAME_STMT);
    return value;
  }
  tree convert(tree type, tree value) {
    if (useless_type_conversion_p(type, TREE_TYPE(value))) return value;
    return assign(type, NOP_EXPR, value);
  }
  /// The old call's value is this one, and the call goes; the iterator stays at the last statement that is there in its place.
  void finish(tree value) {
    gimple_set_vdef(m_call, NULL_TREE);
    gimple_set_vuse(m_call, NULL_TREE);
    gimple* const last = m_lhs != NULL_TREE ? gimple_build_assign(m_lhs, value) : gimple_build_nop();
    gimple_set_location(last, gimple_location(m_call));
    gsi_replace(&m_at, last, false);
  }
  tree lhs() const { return m_lhs; }
  tree lhs_type() const { return TREE_TYPE(m_lhs); }

 private:
  gimple_stmt_iterator& m_at;
  gcall* m_call;
  tree m_lhs;
};

/// `auto_vec` of these.
template <class... Tree>
auto_vec<tree> list(Tree... trees) {
  auto_vec<tree> all;
  (all.safe_push(trees), ...);
  return all;
}

/// __tsan_atomicN_compare_exchange_val: by value. GCC knows no builtin for it.
tree compare_exchange_by_value(unsigned log_bytes, tree value_type) {
  tree& known = runtime_function[log_bytes];
  if (known == NULL_TREE) {
    static char const* const names[] = {"__tsan_atomic8_compare_exchange_val", "__tsan_atomic16_compare_exchange_val",
                                        "__tsan_atomic32_compare_exchange_val", "__tsan_atomic64_compare_exchange_val",
                                        "__tsan_atomic128_compare_exchange_val"};
    tree const type = build_function_type_list(value_type, ptr_type_node, value_type, value_type, integer_type_node,
                                               integer_type_node, NULL_TREE);
    known = leaf_function(names[log_bytes], type);
  }
  return known;
}

void replace(gimple_stmt_iterator& at, Operation const& o, unsigned log_bytes) {
  Replacement r(at);
  auto const code = static_cast<built_in_function>(o.runtime + log_bytes);
  tree const to = builtin_decl_implicit(code);
  if (to == NULL_TREE) return;
  tree const value_type = TREE_TYPE(TREE_TYPE(to));
  tree const seq_cst = r.order(MEMMODEL_SEQ_CST);
  auto operate = [&](tree old, tree operand) -> tree {
    if (r.lhs() == NULL_TREE) return NULL_TREE;
    operand = r.convert(value_type, operand);
    if (o.code != BIT_NOT_EXPR) return r.assign(value_type, o.code, old, operand);
    return r.assign(value_type, BIT_NOT_EXPR, r.assign(value_type, BIT_AND_EXPR, old, operand));
  };
  auto finish = [&](tree value) {
    r.finish(value != NULL_TREE && r.lhs() != NULL_TREE ? r.convert(r.lhs_type(), value) : NULL_TREE);
  };
  auto by_value = [&](tree pointer, tree expected, tree desired, tree success, tree failure, tree type) {
    return r.call(compare_exchange_by_value(log_bytes, type), list(pointer, expected, desired, success, failure), type);
  };
  tree const unsigned_type = build_nonstandard_integer_type(8u << log_bytes, 1);
  switch (o.form) {
    case Form::same: {
      auto_vec<tree> all;
      for (unsigned i = 0; i != gimple_call_num_args(gsi_stmt(at)); ++i) all.safe_push(r.argument(i));
      return finish(r.call(to, all, value_type));
    }
    case Form::then_operate: {
      tree const operand = r.argument(1);
      return finish(operate(r.call(to, list(r.argument(0), operand, r.argument(2)), value_type), operand));
    }
    case Form::sync: return finish(r.call(to, list(r.argument(0), r.argument(1), seq_cst), value_type));
    case Form::sync_then_operate: {
      tree const operand = r.argument(1);
      return finish(operate(r.call(to, list(r.argument(0), operand, seq_cst), value_type), operand));
    }
    case Form::compare:  // weak is strong enough
      return finish(r.call(to, list(r.argument(0), r.argument(1), r.argument(2), r.argument(4), r.argument(5)), value_type));
    case Form::sync_compare_value:
    case Form::sync_compare_flag: {
      tree const expected = r.convert(unsigned_type, r.argument(1)), desired = r.convert(unsigned_type, r.argument(2));
      tree const old = by_value(r.argument(0), expected, desired, seq_cst, seq_cst, unsigned_type);
      if (old == NULL_TREE || o.form == Form::sync_compare_value) return finish(old);
      return finish(r.assign(boolean_type_node, EQ_EXPR, old, expected));
    }
    case Form::lock: return finish(r.call(to, list(r.argument(0), r.argument(1), r.order(MEMMODEL_ACQUIRE)), value_type));
    case Form::unlock:
      return finish(r.call(to, list(r.argument(0), build_int_cst(unsigned_type, 0), r.order(MEMMODEL_RELEASE)), value_type));
    case Form::test_and_set: {
      tree const old = r.call(to, list(r.argument(0), build_int_cst(unsigned_type, 1), r.argument(1)), value_type);
      return finish(old == NULL_TREE ? old : r.assign(boolean_type_node, NE_EXPR, old, build_int_cst(value_type, 0)));
    }
    case Form::clear:
      return finish(r.call(to, list(r.argument(0), build_int_cst(unsigned_type, 0), r.argument(1)), value_type));
    case Form::fence: return finish(r.call(to, list(r.argument(0)), value_type));
    case Form::sync_fence: return finish(r.call(to, list(seq_cst), value_type));
  }
}

/// IFN_ATOMIC_COMPARE_EXCHANGE(pointer, expected, desired, weak * 256 + bytes, success, failure): the old value, and whether it
/// was exchanged, as a complex number.
void replace_compare_exchange(gimple_stmt_iterator& at) {
  Replacement r(at);
  int const bytes = static_cast<int>(tree_to_shwi(r.argument(3)) & 255);
  int const log_bytes = exact_log2(bytes);
  if (log_bytes < 0 || log_bytes > 4) return;
  tree const type = build_nonstandard_integer_type(8u * bytes, 1);
  tree const expected = r.convert(type, r.argument(1)), desired = r.convert(type, r.argument(2));
  tree const old = r.call(compare_exchange_by_value(log_bytes, type),
                          list(r.argument(0), expected, desired, r.argument(4), r.argument(5)), type);
  if (old == NULL_TREE) return r.finish(NULL_TREE);
  tree const part = TREE_TYPE(r.lhs_type());
  tree const same = r.assign(boolean_type_node, EQ_EXPR, old, expected);
  r.finish(r.assign(r.lhs_type(), COMPLEX_EXPR, r.convert(part, old), r.convert(part, same)));
}

}  // namespace

gcall* compare_exchange(gimple* statement) {
  return is_gimple_call(statement) && gimple_call_internal_p(statement, IFN_ATOMIC_COMPARE_EXCHANGE) ? as_a<gcall*>(statement)
                                                                                                      : nullptr;
}

void call_runtime_for_atomic(gimple_stmt_iterator& at) {
  gimple* const s = gsi_stmt(at);
  if (compare_exchange(s) != nullptr) return replace_compare_exchange(at);
  if (!gimple_call_builtin_p(s, BUILT_IN_NORMAL)) return;
  built_in_function const code = DECL_FUNCTION_CODE(gimple_call_fndecl(s));
  for (Operation const& o : operations)
    if (code >= o.builtin && code < o.builtin + 5) return replace(at, o, static_cast<unsigned>(code - o.builtin));
  for (Operation const& o : single)
    if (code == o.builtin) return replace(at, o, 0);
}

}  // namespace teamsan_plugin
