// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The attributes by which headers (Roots.hpp) and the two passes speak of functions.
#pragma once

#include "Gcc.hpp"

#include "../Roots.hpp"

namespace teamsan_plugin {

/// By the first pass: this is a plain body.
inline constexpr char const* plain_body = "teamsan_plain_body";
/// By the second one: no lane waits in it, and nothing is thrown out of it.
inline constexpr char const* patient_body = "teamsan_patient";
/// By the second one: in it a lane may tell another one that something is done.
inline constexpr char const* telling_body = "teamsan_telling";

/// By the first pass: lanes of flat launches run it.
inline constexpr char const* flat_body = "teamsan_flat_body";
/// By the first pass: lanes run it, and it has a plain body beside it.
inline constexpr char const* lane_body = "teamsan_lane_body";

inline bool has_mark(tree decl, char const* mark) { return lookup_attribute(mark, DECL_ATTRIBUTES(decl)) != nullptr; }
inline void add_mark(tree decl, char const* mark) {
  DECL_ATTRIBUTES(decl) = tree_cons(get_identifier(mark), NULL_TREE, DECL_ATTRIBUTES(decl));
}

/// A name in the assembler.
inline bool is_named(tree decl, char const* name) {
  return std::strcmp(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl)), name) == 0;
}

/// Of no other function, and of none of GCC's own.
inline bool calls(gimple* s, char const* name) {
  if (!is_gimple_call(s) || gimple_call_internal_p(s)) return false;
  tree const to = gimple_call_fndecl(s);
  return to != NULL_TREE && is_named(to, name);
}

/// The call's value is this one, and it goes.
inline void put_value(gimple_stmt_iterator& call, tree value) {
  gimple* const s = gsi_stmt(call);
  tree const lhs = gimple_call_lhs(s);
  unlink_stmt_vdef(s);
  gimple* const now = lhs != NULL_TREE ? gimple_build_assign(lhs, fold_convert(TREE_TYPE(lhs), value)) : gimple_build_nop();
  gsi_replace(&call, now, false);
}

simple_ipa_opt_pass* make_two_bodies(gcc::context* context);
gimple_opt_pass* make_waits(gcc::context* context);
gimple_opt_pass* make_checks(gcc::context* context);
gimple_opt_pass* make_team_checks(gcc::context* context);
gimple_opt_pass* make_lane_accesses(gcc::context* context);
gimple_opt_pass* make_struct_values(gcc::context* context, bool optimised);
gimple_opt_pass* make_own_arrays(gcc::context* context);
gimple_opt_pass* make_virtual_calls(gcc::context* context);
gimple_opt_pass* make_gone(gcc::context* context);

}  // namespace teamsan_plugin
