// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HandOvers.hpp"

#include "Atomics.hpp"

namespace teamsan_plugin {

namespace {

/// In line of what the host makes of an update that a GPU has an instruction for: a loop, or a lock of Kokkos' own.
bool is_of_update(gimple* s) {
  for (tree block = gimple_block(s); block != NULL_TREE && TREE_CODE(block) == BLOCK; block = BLOCK_SUPERCONTEXT(block)) {
    tree const of = block_ultimate_origin(block);
    if (of == NULL_TREE || TREE_CODE(of) != FUNCTION_DECL || DECL_NAME(of) == NULL_TREE) continue;
    char const* const name = IDENTIFIER_POINTER(DECL_NAME(of));
    if (std::strncmp(name, "host_atomic_", 12) == 0 && std::strstr(name, "oper") != nullptr) return true;
  }
  return false;
}

bool is_relaxed(gimple* call) {
  tree const order = gimple_call_arg(call, gimple_call_num_args(call) - 1);
  return TREE_CODE(order) == INTEGER_CST && (TREE_INT_CST_LOW(order) & 0xffff) == MEMMODEL_RELAXED;
}

/// An atomic, or a fence, by which lanes may tell each other something.
bool may_tell(gimple* call) {
  if (compare_exchange(call) != nullptr) return true;
  tree const to = gimple_call_fndecl(call);
  if (to == NULL_TREE || !fndecl_built_in_p(to, BUILT_IN_NORMAL)) return false;
  built_in_function const code = DECL_FUNCTION_CODE(to);
  auto const among = [&](built_in_function first, built_in_function last) { return code >= first && code <= last; };
  bool const is_update = among(BUILT_IN_ATOMIC_ADD_FETCH_N, BUILT_IN_ATOMIC_FETCH_OR_16);
  if (is_update || code == BUILT_IN_ATOMIC_THREAD_FENCE) return !is_relaxed(call);
  return among(BUILT_IN_SYNC_FETCH_AND_ADD_N, BUILT_IN_ATOMIC_STORE_16);  // what is not an update, and __sync's
}

}  // namespace

bool hands_over(gimple* s) {
  if (is_gimple_assign(s) && !gimple_clobber_p(s) && gimple_has_volatile_ops(s)) return true;
  return is_gimple_call(s) && may_tell(s) && !is_of_update(s);
}

}  // namespace teamsan_plugin
