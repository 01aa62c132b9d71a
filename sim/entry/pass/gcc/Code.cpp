// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Code.hpp"

#include "../Abi.h"
#include "Atomics.hpp"

namespace teamsan_plugin {

tree state() {
  tree& known = runtime_function[state_variable];
  if (known != NULL_TREE) return known;
  tree const name = get_identifier(TEAMSAN_ABI_TEXT(TEAMSAN_ABI_STATE));
  if (symtab_node* const n = symtab_node::get_for_asmname(name); n != nullptr && VAR_P(n->decl)) return known = n->decl;
  tree const type = build_array_type_nelts(unsigned_char_type_node, teamsan_hot_bytes);
  tree const decl = build_decl(UNKNOWN_LOCATION, VAR_DECL, name, type);
  SET_DECL_ASSEMBLER_NAME(decl, name);
  DECL_EXTERNAL(decl) = TREE_PUBLIC(decl) = TREE_STATIC(decl) = TREE_ADDRESSABLE(decl) = TREE_USED(decl) = 1;
  TREE_STATIC(decl) = 0;
  DECL_ARTIFICIAL(decl) = 1;
  set_decl_tls_model(decl, TLS_MODEL_INITIAL_EXEC);
  varpool_node::get_create(decl);
  return known = decl;
}

tree leaf_function(char const* name, tree type) {
  tree const function = build_fn_decl(name, type);
  TREE_NOTHROW(function) = 1;
  DECL_ATTRIBUTES(function) = tree_cons(get_identifier("leaf"), NULL_TREE, DECL_ATTRIBUTES(function));
  return function;
}

}  // namespace teamsan_plugin
