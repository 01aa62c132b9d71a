// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HandOvers.hpp"

#include "../Telling.hpp"
#include "Atomics.hpp"
#include "Marks.hpp"
#include "Updates.hpp"

namespace teamsan_plugin {

namespace {

bool is_update(tree function) {
  return function != NULL_TREE && TREE_CODE(function) == FUNCTION_DECL && DECL_NAME(function) != NULL_TREE &&
         is_update_of_host(IDENTIFIER_POINTER(DECL_NAME(function))) && is_of_kokkos(function);
}

/// In one, in line or not.
bool is_of_update(gimple* s) {
  for (tree block = gimple_block(s); block != NULL_TREE && TREE_CODE(block) == BLOCK; block = BLOCK_SUPERCONTEXT(block))
    if (is_update(block_ultimate_origin(block))) return true;
  return is_update(current_function_decl);
}

bool is_relaxed(gimple* call) {
  if (gimple_call_num_args(call) == 0) return false;
  tree const order = gimple_call_arg(call, gimple_call_num_args(call) - 1);
  return TREE_CODE(order) == INTEGER_CST && (TREE_INT_CST_LOW(order) & 0xffff) == MEMMODEL_RELAXED;
}

/// A variable of the lane's own, whose address nobody has.
bool is_of_lane(tree operand) {
  tree const base = get_base_address(operand);
  return base != NULL_TREE && VAR_P(base) && auto_var_in_fn_p(base, current_function_decl) && !TREE_ADDRESSABLE(base);
}

bool is_strange(gimple* s) {
  if (!is_gimple_assign(s) || gimple_clobber_p(s) || !gimple_has_volatile_ops(s)) return false;
  bool known = false;
  for (tree const operand : {gimple_assign_lhs(s), gimple_assign_rhs1(s)}) {
    if (TREE_CODE(operand) == SSA_NAME || !TREE_THIS_VOLATILE(operand)) continue;
    if (!is_of_lane(operand)) return true;
    known = true;
  }
  return !known;
}

Telling telling(gimple* s) {
  if (is_strange(s)) return Telling::strange;
  if (!is_gimple_call(s)) return Telling::nothing;
  if (compare_exchange(s) != nullptr) return Telling::atomic;
  tree const to = gimple_call_fndecl(s);
  if (to == NULL_TREE) return Telling::nothing;
  if (!gimple_call_internal_p(s) && has_mark(to, telling_body)) return Telling::atomic;
  if (!fndecl_built_in_p(to, BUILT_IN_NORMAL)) return Telling::nothing;
  built_in_function const code = DECL_FUNCTION_CODE(to);
  auto const among = [&](built_in_function first, built_in_function last) { return code >= first && code <= last; };
  if (code == BUILT_IN_ATOMIC_THREAD_FENCE) return Telling::fence;
  if (among(BUILT_IN_ATOMIC_ADD_FETCH_N, BUILT_IN_ATOMIC_FETCH_OR_16)) return Telling::update;
  // What is not an update, and __sync's.
  return among(BUILT_IN_SYNC_FETCH_AND_ADD_N, BUILT_IN_ATOMIC_STORE_16) ? Telling::atomic : Telling::nothing;
}

}  // namespace

bool hands_over(gimple* s) {
  Telling const what = telling(s);
  return what != Telling::nothing && may_tell(what, is_gimple_call(s) && is_relaxed(s)) && !is_of_update(s);
}

}  // namespace teamsan_plugin
